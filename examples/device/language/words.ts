/** Words of a text as they are compared: lower case, without accents, endings cut off. */

export const folded = (text: string): string =>
  text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/[\u2018\u2019]/g, "'")
    .replace(/[\u201C\u201D\u201E\u00AB\u00BB]/g, '"')
    .toLowerCase()

/** More of a message is not read for its words. */
const LONGEST = 2000

/** One line with single spaces: patterns that look for gaps take forever on long ones. */
export const asLine = (text: string): string => text.slice(0, LONGEST).replace(/\s+/g, " ").trim()

/** `photos` → `photo`, `meetings` → `meet`, `taken` stays. Only good for comparing. */
export const stemOf = (word: string): string => {
  if (word.length < 4 || /[^a-z]/.test(word)) return word
  const cut = word
    .replace(/(?:ies)$/, "y")
    .replace(/(?<=.{3})(?:ings?|ed)$/, "")
    .replace(/(?<=(?:s|x|ch|sh))es$/, "")
    .replace(/(?<=[^su])s$/, "")
  return cut.replace(/([bdgmnprt])\1$/, "$1").replace(/(?<=.{3})e$/, "")
}

/** In order. `Wi-Fi` is one word; `mom's` is `mom`. */
export const wordsOf = (text: string): ReadonlyArray<string> =>
  folded(text)
    .replace(/\bwi[- ]fi\b/g, "wifi")
    .replace(/'s\b/g, "")
    .replace(/n't\b/g, " not")
    .replace(/'(?:re|ve|ll|m|d)\b/g, "")
    .match(/[\p{L}\p{N}]+/gu) ?? []

export const stemsOf = (text: string): ReadonlyArray<string> => wordsOf(text).map(stemOf)

/** Words that carry a sentence and not its subject. */
export const small: ReadonlySet<string> = new Set(
  `a an and any anything are as at about be been but by can could did do does for from get give had has have he her here him his
how i if in into is it its just let me my no not now of off on once one or our out over please she should show so some something
tell than that the their them then there these they thing this those to too up us was we were what when where which who whom
whose why will with would you your yours hey hi hello thanks thank want need like look looking find search locate seek dig pull
see list open bring am near around whether really just pls plz please kindly`.split(/\s+/),
)

/** Manners around a wish: "would you be so kind as to …", "I'd like you to …". What is wanted comes after. */
const politeness =
  /^(?:(?:hi|hey|hello|please|pls|ok|okay|so|well|excuse me|sorry)\b[ ,!]*)*(?:(?:(?:could|can|would|will) (?:you|u)|i(?:'d| would) (?:like|love) (?:you )?to|i want (?:you )?to|i need you to|would you mind|do you mind|be so kind(?: as)?(?: to)?|kindly|please|pls)\b[ ,]*(?:please\b ?|be so kind as to |possibly )*)*/i

/** Without the manners it begins with. */
export const plainly = (line: string): string => line.replace(politeness, "") || line
