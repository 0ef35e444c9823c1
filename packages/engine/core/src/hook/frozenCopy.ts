/** Copies plain data so that nothing of the copy can be changed, and a change of it would reach nothing else. */

export const frozenCopy = <A>(value: A): A =>
  typeof value === "object" && value !== null
    ? ((Array.isArray(value) ? frozenList(value) : frozenObject(value)) as A)
    : value

// Apart from each other: every hooked call copies its draft.

const frozenList = (list: ReadonlyArray<unknown>): ReadonlyArray<unknown> => {
  const copy = [...list]
  for (let index = 0; index < copy.length; index++) {
    const inner = copy[index]
    if (typeof inner === "object" && inner !== null) copy[index] = frozenCopy(inner)
  }
  return Object.freeze(copy)
}

const frozenObject = (object: object): object => {
  const copy: { [key: string]: unknown } = { ...object }
  for (const key of Object.keys(copy)) {
    const inner = copy[key]
    if (typeof inner === "object" && inner !== null) copy[key] = frozenCopy(inner)
  }
  return Object.freeze(copy)
}
