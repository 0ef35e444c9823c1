/** Decides what happens with errors that nothing waits for, while a command that outlives them is at work. */

/** Undefined unless a command has taken them over: then such an error is a defect that ends the process. */
let taken: ((error: unknown) => void) | undefined

/** Passes the error to the command that takes such errors; false without one. */
export const takeStray = (error: unknown): boolean => {
  if (taken === undefined) return false
  taken(error)
  return true
}

/** Takes such errors until the returned function is called. The listener must not throw. */
export const onStray = (listener: (error: unknown) => void): (() => void) => {
  taken = listener
  return () => {
    taken = undefined
  }
}
