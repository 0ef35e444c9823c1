/** The body of a quoted string → its text. */
import { isQuote } from "./Source.ts"

const ESCAPE = /\\(?:u\{([0-9a-fA-F]{1,6})\}|u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|\r\n|[\s\S]?)/g

const named: { readonly [escape: string]: string } = {
  '"': '"',
  "'": "'",
  "`": "`",
  "\\": "\\",
  "/": "/",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  // A backslash before the end of a line continues it, as in JavaScript.
  "\n": "",
  "\r": "",
  "\r\n": "",
}

/** No escapes but JSON's short ones, and nothing that stands unescaped in model text only. */
// eslint-disable-next-line no-control-regex
const PLAIN = /^(?:[^"\\\u0000-\u001f]|\\["\\/bfnrt])*$/

export interface Decoded {
  readonly text: string
  /** Escapes that JSON does not have: their backslash is kept, for it is text (`\d`, `\alpha`). */
  readonly bad: boolean
}

/**
 * Resolves the escapes of JSON and JavaScript. An escape that is cut off by the end of the text is left out when
 * `cut` says that the body was cut.
 */
export const decode = (body: string, cut = false): Decoded => {
  if (!body.includes("\\")) return { text: body, bad: false }
  if (PLAIN.test(body)) return { text: JSON.parse(`"${body}"`) as string, bad: false }
  let bad = false
  const whole = cut
    ? body.replace(/(?<!\\)((?:\\\\)*)\\(?:u[0-9a-fA-F]{0,3}|x[0-9a-fA-F]?)?$/, "$1")
    : body
  const text = whole.replace(ESCAPE, (escape, braced?: string, unit?: string, byte?: string) => {
    const code = braced ?? unit ?? byte
    if (code !== undefined) {
      bad ||= unit === undefined
      const point = Number.parseInt(code, 16)
      if (point > 0x10ffff) return escape
      return unit === undefined ? String.fromCodePoint(point) : String.fromCharCode(point)
    }
    const known = named[escape.slice(1)] ?? (isQuote(escape.slice(1)) ? escape.slice(1) : undefined)
    bad ||= known === undefined || !STANDARD.test(escape)
    return known ?? escape
  })
  return { text, bad }
}

const STANDARD = /^\\["\\/bfnrt]$/

/** Takes away one level of escaping, of text that was quoted twice: `{\"a\": \"b\"}`. */
export const unescapeOnce = (body: string): string =>
  body.replace(/\\([\s\S])/g, (escape, char: string) =>
    char === '"' || char === "\\" ? char : char === "n" ? "\n" : char === "t" ? "\t" : escape,
  )

/** Takes the layout away that surrounds a block of text: its first and last line end, the common indent, and blanks on empty lines. */
export const dedent = (block: string): string => {
  if (!block.includes("\n")) return block
  const lines = block
    .replace(/^[ \t]*\r?\n/, "")
    .replace(/\r?\n[ \t]*$/, "")
    .split("\n")
    .map((line) => (line.trim() === "" ? "" : line))
  let indent = Infinity
  for (const line of lines) {
    const depth = line.search(/\S/)
    if (depth >= 0) indent = Math.min(indent, depth)
  }
  return indent === 0 || indent === Infinity
    ? lines.join("\n")
    : lines.map((line) => line.slice(indent)).join("\n")
}
