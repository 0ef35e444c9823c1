/** Texts that a model reads in another text although no reader sees them: encoded, spaced, misspelled or invisible. */
import { corrected, type Spelling } from "./spelling.ts"

/** `start` and `end`: the place in the text that hides it. */
export interface HiddenText {
  readonly how: string
  readonly text: string
  readonly start: number
  readonly end: number
}

/** Texts in base64 that hold texts in base64. */
const MAX_DEPTH = 3

export const hiddenTexts = (
  text: string,
  spelling: Spelling,
  depth = 0,
): ReadonlyArray<HiddenText> => {
  const inside = encodings.flatMap(({ decode, how, pattern }) =>
    [...text.matchAll(pattern)].flatMap(({ 0: piece, index: start }) => {
      const decoded = decode(piece)
      return decoded === undefined ? [] : [{ how, text: decoded, start, end: start + piece.length }]
    }),
  )
  const deeper =
    depth < MAX_DEPTH
      ? inside.flatMap((one) =>
          hiddenTexts(one.text, spelling, depth + 1).map(({ how, text: deep }) => ({
            ...one,
            how: `${one.how}, ${how}`,
            text: deep,
          })),
        )
      : []
  const whole = [
    ...rewritings.map(({ how, rewrite }) => ({ how, text: rewrite(text) })),
    { how: "misspelled", text: corrected(text, spelling) },
  ].flatMap(({ how, text: other }) =>
    other === text ? [] : [{ how, text: other, start: 0, end: text.length }],
  )
  return [...inside, ...deeper, ...whole]
}

interface Encoding {
  readonly how: string
  /** Global; takes time linear in the text. */
  readonly pattern: RegExp
  readonly decode: (piece: string) => string | undefined
}

/** Bytes that are a text, and not an image or a key. */
const textOf = (bytes: Buffer): string | undefined => {
  const decoded = bytes.toString("utf8")
  return /\ufffd|(?![\t\n\r])\p{Cc}/u.test(decoded) ? undefined : decoded
}

const encodings: ReadonlyArray<Encoding> = [
  {
    how: "base64",
    pattern: /(?<![\w+/-])[\w+/-]{16,}={0,2}/g,
    decode: (piece) => textOf(Buffer.from(piece, "base64")),
  },
  {
    how: "hexadecimal",
    pattern: /(?<![0-9a-f])(?:[0-9a-f]{2}[ :]?){8,}(?![0-9a-f])/gi,
    decode: (piece) => textOf(Buffer.from(piece.replaceAll(/[ :]/g, ""), "hex")),
  },
  {
    how: "tag characters",
    pattern: /[\u{e0020}-\u{e007e}]{4,}/gu,
    decode: (piece) =>
      [...piece].map((one) => String.fromCodePoint(one.codePointAt(0)! - 0xe0000)).join(""),
  },
]

/** The whole text as it reads without one disguise. */
const rewritings: ReadonlyArray<{
  readonly how: string
  readonly rewrite: (text: string) => string
}> = [
  { how: "over several lines", rewrite: (text) => text.replaceAll(/(?<![.!?;])\n/g, " ") },
  { how: "in invisible characters", rewrite: (text) => text.replaceAll(/\p{DI}/gu, " ") },
  {
    how: "percent-encoded",
    rewrite: (text) =>
      text.replaceAll(
        /(?:%[0-9a-f]{2})+/gi,
        (bytes) => textOf(Buffer.from(bytes.replaceAll("%", ""), "hex")) ?? bytes,
      ),
  },
  {
    how: "in escapes",
    rewrite: (text) =>
      text.replaceAll(
        /&#(\d{1,6});|&#x([0-9a-f]{1,5});|\\u\{?([0-9a-f]{4,5})\}?|\\x([0-9a-f]{2})/gi,
        (_, decimal?: string, ...hex: ReadonlyArray<string | undefined>) =>
          String.fromCodePoint(
            decimal === undefined
              ? Number.parseInt(
                  hex.slice(0, 3).find((one) => one !== undefined)!,
                  16,
                )
              : Number(decimal),
          ),
      ),
  },
  {
    how: "spaced",
    rewrite: (text) =>
      text
        .replaceAll(/(?<=\p{L})-(?=\p{L})/gu, "")
        .replaceAll(
          /(?<![\p{L}\p{N}])[\p{L}\p{N}]([ ._*|-])(?:[\p{L}\p{N}]\1){2,}[\p{L}\p{N}](?![\p{L}\p{N}])/gu,
          (letters, separator: string) => letters.replaceAll(separator, ""),
        ),
  },
  { how: "with digits as letters", rewrite: (text) => withoutDigits(text, "i") },
  { how: "with digits as letters", rewrite: (text) => withoutDigits(text, "l") },
  {
    how: "in ROT13",
    rewrite: (text) =>
      text.replaceAll(/[a-z]/gi, (letter) => {
        const code = letter.charCodeAt(0)
        return String.fromCharCode(code + ((code & 31) <= 13 ? 13 : -13))
      }),
  },
  { how: "backwards", rewrite: (text) => [...text].toReversed().join("") },
]

const digits: { readonly [digit: string]: string } = {
  "0": "o",
  "3": "e",
  "4": "a",
  "5": "s",
  "7": "t",
  "8": "b",
  "@": "a",
  $: "s",
  "!": "i",
}

/** Words with letters and digits or signs, as these are read. */
const withoutDigits = (text: string, one: string): string =>
  text.replaceAll(/[a-z0-9@$!]+/gi, (word) => {
    const bare = word.replace(/!+$/, "")
    return /[a-z]/i.test(bare) && /[0-9@$!]/.test(bare)
      ? bare.replaceAll(/[0-9@$!]/g, (digit) => (digit === "1" ? one : (digits[digit] ?? digit)))
      : word
  })
