/** Tokens of a question: text, lower case, singular, number. */

export interface Token {
  /** Offsets in the question, as of a claim. */
  readonly start: number
  readonly end: number
  /** As written, without quotes. */
  readonly text: string
  /** Lower case. */
  readonly word: string
  /** The word in the singular. */
  readonly stem: string
  readonly kind: "word" | "number" | "quoted" | "sign"
  /** Present where a typo was corrected. */
  readonly slip?: true
  /** For numbers: `10k` is 10000. */
  readonly value?: number
}

type Bare = Omit<Token, "start" | "end">

const irregular: { readonly [plural: string]: string } = {
  people: "person",
  men: "man",
  women: "woman",
  children: "child",
  series: "series",
  species: "species",
  analyses: "analysis",
  indices: "index",
  movies: "movie",
  cookies: "cookie",
  calories: "calorie",
}

/** English plurals only: a stronger stemmer would join different words. */
export const singular = (word: string): string => {
  if (Object.hasOwn(irregular, word)) return irregular[word] as string
  if (word.length < 4 || !word.endsWith("s") || /(ss|us|is)$/.test(word)) return word
  if (word.endsWith("ies") && word.length > 4) return `${word.slice(0, -3)}y`
  if (/(s|x|ch|sh|z)es$/.test(word) && !/(ases|oses|uses|ises|ices|rses|nses)$/.test(word)) {
    return word.slice(0, -2)
  }
  return word.slice(0, -1)
}

/** What a word after a number multiplies it by. */
export const scales: ReadonlyMap<string, number> = new Map([
  ["k", 1e3],
  ["hundred", 100],
  ["thousand", 1e3],
  ["m", 1e6],
  ["mio", 1e6],
  ["million", 1e6],
  ["bn", 1e9],
  ["billion", 1e9],
])

const patterns =
  /"([^"]*)"|“([^”]*)”|`([^`]*)`|(?<=^|[\s(=,])'([^']*)'(?=$|[\s),.?!;])|(\d{4}-\d{2}-\d{2}(?!\d)|\d{4}(?:-|\s+)?[qQ][1-4]\b|\d{4}-(?:0[1-9]|1[0-2])\b)|[$€£]?((?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?|\.\d+)(?:\s*(k|m|mio|bn|thousand|million|billion)\b)?(?![\p{L}])%?|([<>!=]=|<>|[<>=≥≤≠])|([\p{L}\p{N}_]+(?:['’][\p{L}]+)?)|([,;.?!:/&()–-]|(?<=\d\s?)[—−‑‐](?=\s?[\p{L}\d]))/giu

const word = (text: string): Bare => {
  const lower = text
    .toLowerCase()
    .replace(/['’]s$/, "")
    .replaceAll("’", "'")
  return { text, word: lower, stem: singular(lower), kind: "word" }
}

/** Quotes keep their content whole; hyphens and slashes separate words; `1,000`, `10k` and `$5` are numbers. */
export const tokenize = (question: string, from = 0): ReadonlyArray<Token> =>
  [...question.matchAll(patterns)].map((match) => {
    const start = from + match.index
    return { ...read(match), start, end: start + match[0].length }
  })

const read = (match: RegExpExecArray): Bare => {
  const quoted = match[1] ?? match[2] ?? match[3] ?? match[4]
  if (quoted !== undefined) {
    const lower = quoted.toLowerCase()
    return { text: quoted, word: lower, stem: lower, kind: "quoted" }
  }
  if (match[5] !== undefined) {
    const period = match[5].toUpperCase().replace(/^(\d{4})[-\s]*Q/, "$1-Q")
    return { text: period, word: period.toLowerCase(), stem: period.toLowerCase(), kind: "word" }
  }
  if (match[6] !== undefined) {
    const scale = scales.get(match[7]?.toLowerCase() ?? "") ?? 1
    const value = Number(match[6].replaceAll(",", "")) * scale
    const text = match[0]
    return { text, word: text.toLowerCase(), stem: text.toLowerCase(), kind: "number", value }
  }
  if (match[9] !== undefined) return word(match[9])
  const sign = (match[8] ?? match[10] ?? match[0]).replace(/[—−‑‐]/, "–")
  return { text: sign, word: sign, stem: sign, kind: "sign" }
}

/** Names that cannot be tokenized as words: `"; drop`, `Body Mass (g)`. */
const isOdd = (name: string): boolean =>
  /[^\p{L}\p{N}_ -]/u.test(name) && /[\p{L}\p{N}]/u.test(name)

const isEdge = (text: string, at: number): boolean => !/[\p{L}\p{N}]/u.test(text[at] ?? "")

/** Like `tokenize`; an exact odd column name is one quoted token. */
export const tokenizeWithNames = (
  question: string,
  names: ReadonlyArray<string>,
  from = 0,
): ReadonlyArray<Token> => {
  const lower = question.toLowerCase()
  const [first] = names
    .filter(isOdd)
    .flatMap((name) => {
      const at = lower.indexOf(name.toLowerCase())
      const end = at + name.length
      return at >= 0 && isEdge(question, at - 1) && isEdge(question, end) ? [{ name, at, end }] : []
    })
    .toSorted((left, right) => left.at - right.at || right.end - left.end)
  if (first === undefined) return tokenize(question, from)
  const { at, end, name } = first
  const token: Token = {
    text: name,
    word: name.toLowerCase(),
    stem: name.toLowerCase(),
    kind: "quoted",
    start: from + at,
    end: from + end,
  }
  return [
    ...tokenize(question.slice(0, at), from),
    token,
    ...tokenizeWithNames(question.slice(end), names, from + end),
  ]
}

/** The parts of a name: `ProductCategory`, `product-category` and `product_category` are the same two. */
export const partsOf = (name: string): ReadonlyArray<string> =>
  name
    .replaceAll(/(\p{Ll}|\p{N})(\p{Lu})/gu, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((part) => part !== "")
    .map(singular)
