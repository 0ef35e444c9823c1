/** The header `link` (RFC 8288): the URL with the relation `next`. */

export const nextLink = (header: string | undefined, base: URL): URL | undefined => {
  for (const [, target = "", params = ""] of (header ?? "").matchAll(
    /<([^<>]*)>((?:\s*;[^,<>"]*(?:"[^"]*")?)*)/g,
  )) {
    const relations = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s;,"]+))/i.exec(params)
    const names = (relations?.[1] ?? relations?.[2] ?? "").toLowerCase().split(/\s+/)
    if (names.includes("next") && URL.canParse(target, base.href)) return new URL(target, base)
  }
  return undefined
}
