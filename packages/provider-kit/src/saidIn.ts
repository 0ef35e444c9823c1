/** What an answer says that is not as its protocol has it: plain text, a page of a proxy, JSON of another make. */

/** One sentence from the beginning of a body; undefined where it holds none. */
export const saidIn = (body: string): string | undefined => {
  const text = body.trim()
  if (text === "") return undefined
  if (text.startsWith("<")) return titleOf(text)
  if (!/^[[{"]/.test(text)) return text.split("\n", 1)[0]
  try {
    return sentenceIn(JSON.parse(text))
  } catch {
    return undefined
  }
}

/** Pages of proxies say what is wrong in their title. */
const titleOf = (page: string): string => {
  const title = /<(?:title|h1)[^>]*>([^<]+)</i.exec(page)?.[1]?.trim()
  return title === undefined ? "a page of HTML" : `a page of HTML: ${title}`
}

/** Under the names that servers have for it: FastAPI says `detail`, others `message` or `error`. */
const sentenceIn = (value: unknown): string | undefined => {
  if (typeof value === "string") return value === "" ? undefined : value
  if (Array.isArray(value)) return sentenceIn(value[0])
  if (typeof value !== "object" || value === null) return undefined
  const { detail, error, message, msg } = value as { readonly [key: string]: unknown }
  return sentenceIn(message) ?? sentenceIn(msg) ?? sentenceIn(detail) ?? sentenceIn(error)
}
