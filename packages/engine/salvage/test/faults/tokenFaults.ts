/** Names, texts, literals, colons and commas as models write them. */
import type { Random } from "./described.ts"
import type { Faults } from "./Fault.ts"
import type { Token } from "./Token.ts"
import type { Json } from "../../src/Salvage.ts"

/** Rewrites every token it can; `undefined` leaves one as it is. */
const each = (change: (token: Token, at: number, all: Array<Token>) => string | undefined) => ({
  layer: "tokens" as const,
  apply: (tokens: Array<Token>) => {
    let changed = false
    for (const [at, token] of tokens.entries()) {
      const text = token.broken === true ? undefined : change(token, at, tokens)
      if (text === undefined || text === token.text) continue
      token.text = text
      token.broken = token.kind !== "blank"
      changed = true
    }
    return changed
  },
})

/** Rewrites one token of those it can. */
const single = (change: (token: Token, at: number, all: Array<Token>) => string | undefined) => ({
  layer: "tokens" as const,
  apply: (tokens: Array<Token>, random: Random) => {
    const open = tokens.flatMap((token, at) => {
      const text = token.broken === true ? undefined : change(token, at, tokens)
      return text === undefined || text === token.text ? [] : [{ token, text }]
    })
    if (open.length === 0) return false
    const { token, text } = random.one(open)
    token.text = text
    token.broken = true
    return true
  },
})

const inner = (value: Json | undefined) => JSON.stringify(value).slice(1, -1)
const isText = ({ kind }: Token) => kind === "text"
const isQuoted = ({ kind }: Token) => kind === "text" || kind === "key"
const quoted = (write: (body: string) => string) =>
  each((token) => (isQuoted(token) ? write(inner(token.value)) : undefined))

const LITERAL = /^(?:true|false|null|none|nil|undefined|nan)$/i
/** Texts that no reader could take for anything else without their quotes. */
const isPlain = (token: Token) =>
  isText(token) &&
  /^\p{L}[\p{L} ]*$/u.test(String(token.value)) &&
  !LITERAL.test(String(token.value))

const isLast = (at: number, all: ReadonlyArray<Token>) =>
  all[at + 1]?.kind === "blank" && all[at + 2]?.kind === "close"

const endsValue = (token: Token) =>
  token.kind === "text" || token.kind === "scalar" || token.kind === "close"

export const tokenFaults = {
  "single quotes": quoted((body) => `'${body.replaceAll('\\"', '"').replaceAll("'", "\\'")}'`),
  "smart quotes": quoted((body) => `“${body.replaceAll('\\"', '"')}”`),
  "backtick texts": each((token) =>
    isText(token) && !String(token.value).includes("`")
      ? `\`${inner(token.value).replaceAll('\\"', '"')}\``
      : undefined,
  ),
  "names without quotes": each(({ kind, value }) => (kind === "key" ? String(value) : undefined)),
  "texts without quotes": each((token) => (isPlain(token) ? String(token.value) : undefined)),
  "one text without quotes": single((token) => (isPlain(token) ? String(token.value) : undefined)),
  "a name without its first quote": single(({ kind, text }) =>
    kind === "key" ? text.slice(1) : undefined,
  ),
  "a name without its last quote": single(({ kind, text }) =>
    kind === "key" ? text.slice(0, -1) : undefined,
  ),
  "a text without its first quote": single((token) =>
    isPlain(token) ? token.text.slice(1) : undefined,
  ),
  "a text without its last quote": single((token) =>
    isPlain(token) ? token.text.slice(0, -1) : undefined,
  ),
  "quotes unescaped": each((token) =>
    isText(token) ? token.text.replaceAll('\\"', '"') : undefined,
  ),
  "escaped quotes": each((token) =>
    isQuoted(token) ? token.text.replaceAll("\\", "\\\\").replaceAll('"', '\\"') : undefined,
  ),
  "quotes as entities": each((token) =>
    isQuoted(token) ? token.text.replaceAll('\\"', "&quot;").replaceAll('"', "&quot;") : undefined,
  ),
  "Python literals": each(({ kind, value }) =>
    kind !== "scalar" || typeof value === "number"
      ? undefined
      : value === null
        ? "None"
        : value === true
          ? "True"
          : "False",
  ),
  "null as undefined": each(({ kind, value }) =>
    kind === "scalar" && value === null ? "undefined" : undefined,
  ),
  "null as NaN": each(({ kind, value }) =>
    kind === "scalar" && value === null ? "NaN" : undefined,
  ),
  "numbers with a plus": each(({ kind, value, text }) =>
    kind === "scalar" && typeof value === "number" && value > 0 ? `+${text}` : undefined,
  ),
  "raw line ends": each((token) =>
    isText(token)
      ? String(token.value).includes("\n")
        ? JSON.stringify(token.value).replaceAll(/(?<!\\)\\n/g, "\n")
        : undefined
      : undefined,
  ),
  "continued lines": each((token) =>
    isText(token) && /\p{L}\p{L}/u.test(String(token.value))
      ? token.text.replace(/(\p{L})(\p{L})/u, "$1\\\n$2")
      : undefined,
  ),
  "texts in two parts": each((token) =>
    isText(token) && /^[\p{L} ]{4,}$/u.test(String(token.value))
      ? `"${String(token.value).slice(0, 2)}" + "${String(token.value).slice(2)}"`
      : undefined,
  ),
  "escapes that JSON lacks": each((token) =>
    isText(token) ? token.text.replaceAll("'", "\\'") : undefined,
  ),
  "letters as escapes": each((token) =>
    isText(token)
      ? token.text.replace(
          /[^ -~]/gu,
          (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`,
        )
      : undefined,
  ),
  "trailing commas": each(({ kind, text }, at, all) =>
    kind === "blank" && all[at + 1]?.kind === "close" ? `,${text}` : undefined,
  ),
  "no commas": each(({ kind }) => (kind === "comma" ? "" : undefined)),
  "one comma too few": single(({ kind }) => (kind === "comma" ? "" : undefined)),
  "one comma too many": single(({ kind }) => (kind === "comma" ? ",," : undefined)),
  "semicolons for commas": each(({ kind }) => (kind === "comma" ? ";" : undefined)),
  "full-width commas": each(({ kind }) => (kind === "comma" ? "，" : undefined)),
  "Arabic commas": each(({ kind }) => (kind === "comma" ? "،" : undefined)),
  "enumeration commas": each(({ kind }) => (kind === "comma" ? "、" : undefined)),
  "full-width colons": each(({ kind }) => (kind === "colon" ? "：" : undefined)),
  "equals signs": each(({ kind }) => (kind === "colon" ? " =" : undefined)),
  arrows: each(({ kind }) => (kind === "colon" ? " =>" : undefined)),
  "one colon too few": single(({ kind }) => (kind === "colon" ? "" : undefined)),
  "line comments": each(({ kind, text }, at, all) =>
    kind === "blank" && text.includes("\n") && all[at - 1]?.kind !== "open"
      ? ` // a "note", {here}${text}`
      : undefined,
  ),
  "hash comments": each(({ kind, text }, at, all) =>
    kind === "blank" && text.includes("\n") && all[at - 1]?.kind !== "open"
      ? ` # it's a note${text}`
      : undefined,
  ),
  "block comments": each(({ kind }) => (kind === "comma" ? ", /* why: [x, {y}] */" : undefined)),
  "an ellipsis": single((token, at, all) =>
    endsValue(token) && isLast(at, all) && all[at + 2]!.text === "]"
      ? `${token.text}, ...`
      : undefined,
  ),
  "lists in parentheses": each((token) => {
    if (token.text === "[" && token.kind === "open") return "("
    return token.text === "]" && token.kind === "close" ? ",)" : undefined
  }),
  "bold between quotes": each(({ kind, value }) =>
    kind === "key" ? `"**${String(value)}**"` : undefined,
  ),
  "zero-width blanks": each(({ kind, text }) =>
    kind === "blank" || kind === "comma" ? `${text}\u200b` : undefined,
  ),
  "no-break blanks": each(({ kind, text }) =>
    kind === "blank" ? text.replaceAll(" ", "\u00a0") : undefined,
  ),
  "one bracket too few inside": single(({ kind }, at, all) =>
    kind === "close" && at < all.length - 1 ? "" : undefined,
  ),
  "one bracket too many inside": single(({ kind, text }, at, all) =>
    kind === "close" && at < all.length - 1 ? text + text : undefined,
  ),
  "one bracket swapped": single(({ kind, text }, at, all) =>
    kind === "close" && at < all.length - 1 ? (text === "}" ? "]" : "}") : undefined,
  ),
} satisfies Faults
