/** Normalizes words for comparison without case, accents or marks between words. */

const special: { readonly [letter: string]: string } = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  ł: "l",
  đ: "d",
  ı: "i",
}

/** `"Café  BAR"` → `"cafe bar"`. */
export const foldText = (text: string): string =>
  text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[ßæœøłđı]/g, (letter) => special[letter]!)
    .trim()

/** Also removes marks of identifiers and Markdown: `"Order-ID"`, `"order_id"`, `"orderId"` and `"**orderId**"` are equal. */
export const foldName = (name: string): string => foldText(name).replace(/[\s_\-.:/*`"']+/g, "")
