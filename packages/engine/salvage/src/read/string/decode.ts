/** Decodes the body of a quoted string. */
import { isQuote } from "../characters.ts"

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

/** Only JSON's short escapes, and no characters that JSON requires to be escaped. */
// eslint-disable-next-line no-control-regex
const PLAIN = /^(?:[^"\\\u0000-\u001f]|\\["\\/bfnrt])*$/

export interface Decoded {
  readonly text: string
  /** The text has escapes that JSON lacks; unknown ones keep their backslash (`\d`, `\alpha`). */
  readonly bad: boolean
}

/**
 * Resolves the escapes of JSON and JavaScript. With `cut`, an incomplete escape at the end is dropped.
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

/** Removes one level of escaping from text that was quoted twice: `{\"a\": \"b\"}`. */
export const unescapeOnce = (body: string): string =>
  body.replace(/\\([\s\S])/g, (escape, char: string) =>
    char === '"' || char === "\\" ? char : char === "n" ? "\n" : char === "t" ? "\t" : escape,
  )

/** Removes the layout of a text block: first and last line end, common indent, blanks on empty lines. */
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
