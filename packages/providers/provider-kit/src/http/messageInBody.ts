/** Finds the error message in a response outside the protocol: plain text, a proxy's HTML page, foreign JSON. */

/** The first sentence of a body; undefined if it contains none. */
export const messageInBody = (body: string): string | undefined => {
  const text = body.trim()
  if (text === "") return undefined
  if (text.startsWith("<")) return titleOf(text)
  if (!/^[[{"]/.test(text)) return text.split("\n", 1)[0]
  try {
    return messageInJson(JSON.parse(text))
  } catch {
    return undefined
  }
}

/** Error pages of proxies name the error in their title. */
const titleOf = (page: string): string => {
  const title = /<(?:title|h1)[^>]*>([^<]+)</i.exec(page)?.[1]?.trim()
  return title === undefined ? "a page of HTML" : `a page of HTML: ${title}`
}

/** Reads the field names that servers use: FastAPI has `detail`, others `message` or `error`. */
const messageInJson = (value: unknown): string | undefined => {
  if (typeof value === "string") return value === "" ? undefined : value
  if (Array.isArray(value)) return messageInJson(value[0])
  if (typeof value !== "object" || value === null) return undefined
  const { detail, error, message, msg } = value as { readonly [key: string]: unknown }
  return (
    messageInJson(message) ?? messageInJson(msg) ?? messageInJson(detail) ?? messageInJson(error)
  )
}
