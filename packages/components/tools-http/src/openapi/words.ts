/** Names and descriptions of a document in the forms of a catalog. */

/** `listPets`, `users/get-by-id` → `list_pets`, `users_get_by_id`. */
export const snakeName = (text: string): string => {
  const words = text
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replaceAll(/([A-Z]+)([A-Z][a-z])/g, "$1_$2")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "_")
    .replaceAll(/^_+|_+$/g, "")
  const name = /^[a-z]/.test(words) ? words : `api_${words}`
  return name.slice(0, MAX_NAME_CHARACTERS).replace(/_+$/, "")
}

/** What services accept as the name of a tool. */
const MAX_NAME_CHARACTERS = 64

/** The name of a param as services accept it in a tool. */
export const paramName = (text: string): string =>
  text.replaceAll(/[^A-Za-z0-9_-]+/g, "_").replaceAll(/^_+|_+$/g, "") || "param"

/** Whole sentences of a description's first paragraph, as plain text. */
export const firstSentences = (text: string, longest: number): string => {
  const [paragraph = ""] = text.trim().split(/\n\s*\n/, 1)
  const plain = paragraph
    .replaceAll(/<[^<>]*>/g, " ")
    .replaceAll(/!?\[([^\][]*)\]\([^()]*\)/g, "$1")
    .replaceAll(/[`*]/g, "")
    .replaceAll(/\s+/g, " ")
    .trim()
  if (plain.length <= longest) return plain
  const cut = plain.slice(0, longest)
  const end = cut.lastIndexOf(". ")
  return end > longest / 3 ? cut.slice(0, end + 1) : `${cut.slice(0, cut.lastIndexOf(" ")).trim()}…`
}
