/** One line on a terminal with what a command is doing while it prints nothing; whatever else is written removes it. */
import { stderr } from "./Screen.ts"
import type { Spinner } from "./Spinner.ts"

/** Silence before the line is drawn. */
const SILENCE_MS = 1000

let doingNow = ""
let timer: NodeJS.Timeout | undefined
let spinner: Spinner | undefined
let isDrawing = false
/** Gives the streams back. */
let release: (() => void) | undefined

/** Says what the command is doing: the line appears after a second of silence, and never on a pipe. */
export const doing = (text: string): void => {
  if (!stderr.live) return
  doingNow = text
  spinner?.show(text)
  if (timer !== undefined || spinner !== undefined) return
  // Questions and plugins write to the streams themselves.
  const released = [watch(process.stdout), watch(process.stderr)]
  release = () => released.forEach((one) => one())
  timer = setTimeout(draw, SILENCE_MS).unref()
}

/** Removes the line, for work that ends and for other programs that draw on the terminal. */
export const quiet = (): void => {
  clearTimeout(timer)
  timer = undefined
  const drawn = spinner
  spinner = undefined
  aside(() => drawn?.pause())
  release?.()
  release = undefined
}

const draw = (): void => {
  const mine = timer
  void import("./Spinner.ts").then(({ Spinner }) => {
    if (timer !== mine) return
    timer = undefined
    spinner = new Spinner({ ...stderr, write: (text) => aside(() => stderr.write(text)) }, 0)
    spinner.start(doingNow, SILENCE_MS)
  })
}

/** Writes without being noticed. */
const aside = (write: () => void): void => {
  isDrawing = true
  try {
    write()
  } finally {
    isDrawing = false
  }
}

/** Calls `quiet` before anything else is written to the stream. */
const watch = (stream: NodeJS.WriteStream): (() => void) => {
  const own = stream.write
  const watched = ((...args: Parameters<typeof own>) => {
    // A stream that was released, but is still written to through this function, passes on.
    if (!isDrawing && release !== undefined) quiet()
    return own.apply(stream, args)
  }) as typeof own
  stream.write = watched
  return () => {
    if (stream.write === watched) stream.write = own
  }
}
