/** Splits expression text into CEL tokens: names, numbers, strings, operators; comments are skipped. */

import type { TextFix } from "./TextFix.ts"

export type TokenKind = "name" | "number" | "string" | "operator" | "end"

export interface Token {
  readonly kind: TokenKind
  /** The operator or name as written; the unescaped value of a string. */
  readonly text: string
  readonly number?: number
  readonly start: number
  readonly end: number
}

/** Options of a syntax error; `fix` is the text in place of a range that certainly repairs it. */
interface SyntaxOptions {
  readonly code?: string
  readonly fix?: TextFix | undefined
}

/** A syntax error of an expression, with its position. */
export class SyntaxProblem extends Error {
  readonly start: number
  readonly end: number
  readonly help: string | undefined
  readonly code: string
  readonly fix: TextFix | undefined
  constructor(
    message: string,
    start: number,
    end: number,
    help?: string,
    { code = "PL1001", fix }: SyntaxOptions = {},
  ) {
    super(message)
    this.code = code
    this.fix = fix
    this.start = start
    this.end = end
    this.help = help
  }
}

const space = /[ \t\r\n\f]+|\/\/[^\n]*/y
const name = /[A-Za-z_][A-Za-z0-9_]*/y
const number = /0[xX][0-9a-fA-F]+|(?:\d+\.\d+|\d+|\.\d+)(?:[eE][+-]?\d+)?/y
const operator = /&&|\|\||==|!=|<=|>=|[-+*/%<>!?:.,()[\]{}]/y
const string = /([rR]?)("""|'''|"|')/y

/** Characters of other languages and their CEL equivalents. */
const foreign: { readonly [text: string]: string } = {
  "=": 'compare with "=="',
  "&": 'write "&&"',
  "|": 'write "||"; a default for a missing value is: has(a.b) ? a.b : "…"',
  $: "inside ${{ }} names stand alone: inputs.question",
  "`": "write text in quotes, and join texts: 'a ' + inputs.b",
  "#": "a comment starts with //",
}

export const tokenize = (source: string): ReadonlyArray<Token> => {
  const tokens: Array<Token> = []
  let at = 0
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at
    return pattern.exec(source)
  }
  while (at < source.length) {
    const start = at
    const blank = take(space)
    if (blank) {
      at += blank[0].length
      continue
    }
    const quote = take(string)
    if (quote) {
      const read = readString(source, at, quote[2]!, quote[1] !== "")
      tokens.push({ kind: "string", text: read.value, start, end: read.end })
      at = read.end
      continue
    }
    const word = take(name)
    if (word) {
      at += word[0].length
      tokens.push({ kind: "name", text: word[0], start, end: at })
      continue
    }
    // A dot before digits starts a number only where a value may start: `a.0` is not a number.
    const digits = afterValue(tokens) && source[at] === "." ? null : take(number)
    if (digits) {
      at += digits[0].length
      tokens.push(numberToken(source, digits[0], start, at))
      continue
    }
    const sign = take(operator)
    if (!sign) {
      if (source.startsWith("=>", at)) throw arrow(source, tokens.at(-1), at)
      const character = String.fromCodePoint(source.codePointAt(at)!)
      throw new SyntaxProblem(
        `"${character}" is not part of an expression`,
        at,
        at + character.length,
        foreign[character] ?? straightQuotes(source, at),
        { fix: character === "=" ? equality(source, at) : straightFix(source, at) },
      )
    }
    at += sign[0].length
    tokens.push({ kind: "operator", text: sign[0], start, end: at })
  }
  tokens.push({ kind: "end", text: "", start: source.length, end: source.length })
  return tokens
}

/** `x => x.name` of other languages. */
const arrow = (source: string, last: Token | undefined, at: number): SyntaxProblem => {
  const item = last?.kind === "name" ? last.text : "x"
  const body = /^[^,]*?(?=\)?\s*$|\),?)/.exec(source.slice(at + 2).trim())?.[0] ?? "…"
  return new SyntaxProblem(
    '"=>" is not part of an expression',
    at,
    at + 2,
    `write the name, a comma and the expression: ${item}, ${body}`,
  )
}

/** Quotes that editors and chat programs put in the place of straight ones. */
const curly = /([“”„«»‘’‚])([^“”„«»‘’‚]*)[“”„«»‘’‚]?/y

const straightQuotes = (source: string, at: number): string | undefined => {
  curly.lastIndex = at
  const found = curly.exec(source)
  return found === null ? undefined : `write straight quotes: ${quoted(found[2]!)}`
}

/** The straight quotes around a text that ends in a curly one, too. */
const straightFix = (source: string, start: number): TextFix | undefined => {
  curly.lastIndex = start
  const found = curly.exec(source)
  if (found === null || found[0].length !== found[2]!.length + 2) return undefined
  return { start, end: start + found[0].length, text: quoted(found[2]!) }
}

/** `=`, `===` and `!==` of other languages. */
const equality = (source: string, at: number): TextFix | undefined => {
  const [before, after] = [source.slice(0, at), source.slice(at + 1)]
  if (/^[=<>~]/.test(after)) return undefined
  const isThird = /[=!]=$/.test(before)
  return isThird || /[^=<>!]$/.test(before)
    ? { start: at, end: at + 1, text: isThird ? "" : "==" }
    : undefined
}

/** The text as an expression writes it, in the quotes that YAML needs least. */
const quoted = (text: string): string =>
  text.includes("'") ? JSON.stringify(text) : `'${text.replaceAll("\\", "\\\\")}'`

const afterValue = (tokens: ReadonlyArray<Token>): boolean => {
  const last = tokens.at(-1)
  return last !== undefined && (last.kind !== "operator" || [")", "]", "}"].includes(last.text))
}

const numberToken = (source: string, text: string, start: number, end: number): Token => {
  const value = Number(text)
  if (!Number.isFinite(value)) throw new SyntaxProblem(`${text} is too large`, start, end)
  if (/^\d+$|^0x/i.test(text) && !Number.isSafeInteger(value)) {
    throw new SyntaxProblem(`${text} is beyond 2^53 and would lose digits`, start, end)
  }
  const next = source[end]
  if (next !== undefined && /[A-Za-z_]/.test(next)) {
    const unsigned = next === "u" || next === "U"
    throw new SyntaxProblem(
      unsigned ? "there are no unsigned numbers here" : `a number runs into "${next}"`,
      start,
      end + 1,
      unsigned ? `write ${text}` : "a duration is text: it cannot be compared with a number",
    )
  }
  return { kind: "number", text, number: value, start, end }
}

const escapes: { readonly [letter: string]: string } = {
  "\\": "\\",
  "?": "?",
  '"': '"',
  "'": "'",
  "`": "`",
  a: "\x07",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
}

const numeric = /\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-3][0-7]{2}))/y

const readString = (
  source: string,
  start: number,
  quote: string,
  raw: boolean,
): { readonly value: string; readonly end: number } => {
  let at = start + (raw ? 1 : 0) + quote.length
  let value = ""
  while (at < source.length) {
    if (source.startsWith(quote, at)) return { value, end: at + quote.length }
    const character = source[at]!
    if (character === "\n" && quote.length === 1) break
    if (character !== "\\" || raw) {
      value += character
      at++
      continue
    }
    numeric.lastIndex = at
    const code = numeric.exec(source)
    const simple = escapes[source[at + 1] ?? ""]
    if (code) {
      const point = code[4]
        ? Number.parseInt(code[4], 8)
        : Number.parseInt((code[1] ?? code[2] ?? code[3])!, 16)
      if (point > 0x10_ff_ff || (point >= 0xd8_00 && point < 0xe0_00)) {
        throw new SyntaxProblem(`${code[0]} is not a character`, at, at + code[0].length)
      }
      value += String.fromCodePoint(point)
      at += code[0].length
    } else if (simple !== undefined) {
      value += simple
      at += 2
    } else {
      throw new SyntaxProblem(
        `"\\${source[at + 1] ?? ""}" is not an escape`,
        at,
        at + 2,
        'a backslash is "\\\\"; text without escapes is r"…"',
      )
    }
  }
  throw new SyntaxProblem(
    "this text has no closing quote",
    start,
    at,
    source[at] === "\n" ? lineBreakHelp(source, start, at, quote) : undefined,
    { fix: source[at] === "\n" ? lineBreakFix(source, start, at, quote) : undefined },
  )
}

/** The text with line breaks as its escapes, where nothing but line breaks kept it open. */
const lineBreakFix = (
  source: string,
  start: number,
  at: number,
  quote: string,
): TextFix | undefined => {
  const end = source.indexOf(quote, at) + quote.length
  const text = source.slice(start, end)
  return end < quote.length || /[^\n]\n+[^\n]/.test(text.slice(1, -1))
    ? undefined
    : { start, end, text: text.replaceAll("\n", "\\n") }
}

/** In double quotes YAML turns `\n` into a line break before the expression is read. */
const lineBreakHelp = (source: string, start: number, at: number, quote: string): string => {
  const close = source.indexOf(quote, at)
  if (close < 0) return "a text ends on its line: close it, or write \\n for a line break"
  const text = source.slice(start, close + quote.length).replaceAll("\n", "\\\\n")
  return `write ${text}: in double quotes YAML makes a line break of \\n`
}
