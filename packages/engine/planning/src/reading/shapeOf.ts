/** The shape of an example of a code, as a pattern: other codes of the shape are codes, too. */

/** Changes between letters and digits without a mark between them; with this many, their places vary from code to code. */
const MIXED = 3

const escaped = (mark: string): string => `\\${mark}`

/** Letters and digits of a text whose places vary: of a hexadecimal one, those that such numbers have. */
const mixedClass = (text: string): string => {
  const last = /^[0-9a-f]+$/i.test(text) ? "f" : "z"
  const lower = /[a-z]/.test(text) ? `a-${last}` : ""
  const upper = /[A-Z]/.test(text) ? `A-${last.toUpperCase()}` : ""
  return `[0-9${lower}${upper}]`
}

const classOf = (run: string): string =>
  /\d/.test(run) ? "[0-9]" : /[a-z]/.test(run) ? "[a-z]" : "[A-Z]"

/**
 * Each letter and digit stands for any at its place, each mark and `0x` for itself: `AB-12345` is the shape of `XY-90210`.
 * Undefined for a text with other letters than those of ASCII.
 */
export const shapeOf = (example: string): string | undefined => {
  if (!/^[!-~]+$/.test(example)) return undefined
  const [prefix = ""] = /^0x(?=[0-9a-fA-F]+$)/.exec(example) ?? []
  const rest = example.slice(prefix.length)
  const parts = rest.match(/[A-Za-z0-9]+|[^A-Za-z0-9]/g) ?? []
  const plain = rest.replaceAll(/[^A-Za-z0-9]/g, "")
  const changes = parts.reduce(
    (sum, part) => sum + Math.max(0, (part.match(/[A-Za-z]+|[0-9]+/g) ?? []).length - 1),
    0,
  )
  const of = (part: string): string => {
    if (!/[A-Za-z0-9]/.test(part)) return escaped(part)
    if (prefix !== "") return `[0-9a-fA-F]{${part.length}}`
    if (changes >= MIXED) return `${mixedClass(plain)}{${part.length}}`
    const runs = part.match(/[A-Z]+|[a-z]+|[0-9]+/g) ?? []
    return runs.map((run) => `${classOf(run)}{${run.length}}`).join("")
  }
  return `^${prefix}${parts.map(of).join("")}$`
}
