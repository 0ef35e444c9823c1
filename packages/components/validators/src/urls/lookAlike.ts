/** Hosts that look like another: letters of other scripts, digits for letters, one letter more or less. */

/** Letters and groups of letters that look like a Latin one. */
const SHAPES: ReadonlyArray<readonly [shape: RegExp, latin: string]> = [
  [/[а@4ɑ]/gu, "a"],
  [/[её3]/gu, "e"],
  [/[оοо0]/gu, "o"],
  [/[рρ]/gu, "p"],
  [/[сϲ]/gu, "c"],
  [/[хχ]/gu, "x"],
  [/[уү]/gu, "y"],
  [/[іı1l|!]/gu, "i"],
  [/[ѕ5$]/gu, "s"],
  [/[ԁ]/gu, "d"],
  [/[һ]/gu, "h"],
  [/[ј]/gu, "j"],
  [/[кκ]/gu, "k"],
  [/[мʍ]/gu, "m"],
  [/[тτ7]/gu, "t"],
  [/[вβ8]/gu, "b"],
  [/[ԛ9]/gu, "q"],
  [/[ԝω]|vv/gu, "w"],
  [/rn/gu, "m"],
]

/** Letters of several scripts in one name: nothing but a deception. */
export const isMixedScript = (host: string): boolean =>
  host
    .split(".")
    .some(
      (label) =>
        /\p{Script=Latin}/u.test(label) && /[\p{Script=Cyrillic}\p{Script=Greek}]/u.test(label),
    )

/** The allowed domain that a host, which is not allowed, looks like. */
export const lookAlike = (host: string, allow: ReadonlyArray<string>): string | undefined => {
  const shape = shapeOf(host)
  return allow.find((domain) => {
    const allowed = shapeOf(domain)
    return (
      shape === allowed ||
      shape.endsWith(`.${allowed}`) ||
      host.startsWith(`${domain}.`) ||
      host.includes(`.${domain}.`) ||
      isNear(shape.split(".").slice(-domain.split(".").length).join("."), allowed)
    )
  })
}

const shapeOf = (host: string): string => {
  const plain = host.normalize("NFD").replaceAll(/\p{M}/gu, "").replaceAll("-", "")
  return SHAPES.reduce((shape, [from, to]) => shape.replaceAll(from, to), plain)
}

/** One letter changed, added, left out or swapped, in names long enough that this is no accident. */
const isNear = (a: string, b: string): boolean => {
  if (Math.min(a.length, b.length) < 8 || Math.abs(a.length - b.length) > 1) return false
  let start = 0
  while (start < a.length && a[start] === b[start]) start++
  let end = 0
  while (end < Math.min(a.length, b.length) - start && a.at(-1 - end) === b.at(-1 - end)) end++
  const [left, right] = [a.slice(start, a.length - end), b.slice(start, b.length - end)]
  return (
    Math.max(left.length, right.length) <= 1 ||
    (left.length === 2 && right.length === 2 && left[0] === right[1] && left[1] === right[0])
  )
}
