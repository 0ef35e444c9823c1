/** Headers that neither an author nor a model sets: they frame the message, or authenticate it. */

const own = new Set([
  "host",
  "content-length",
  "transfer-encoding",
  "connection",
  "keep-alive",
  "upgrade",
  "te",
  "trailer",
  "expect",
  "accept-encoding",
])

const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/

/** Why a header cannot be set; undefined if it can. */
export const headerProblem = (name: string): string | undefined => {
  const lower = name.toLowerCase()
  if (!token.test(name)) return `"${name}" is not the name of a header`
  if (own.has(lower)) return `the header "${name}" is set by the request itself`
  return lower === "authorization" || lower === "cookie" || lower.startsWith("proxy-")
    ? `the header "${name}" authenticates: use \`auth\` with the name of a secret`
    : undefined
}
