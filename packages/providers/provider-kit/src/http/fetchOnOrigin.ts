/** Sends a request to one origin: redirects to another would carry the prompt, and some of them the key, there. */

/** The address of a service changes rarely and once. */
const MAX_REDIRECTS = 3

/** Statuses with which a redirected request keeps its method and body. */
const keepsRequest: ReadonlySet<number> = new Set([307, 308])

/** A redirect that is not followed; the message contains origins only, because paths and queries may hold secrets. */
export class RedirectRefused extends Error {}

/** Follows redirects on the same origin that keep the request; rejects with `RedirectRefused` for others. */
export const fetchOnOrigin = async (
  url: string | URL,
  init: RequestInit | undefined,
): Promise<Response> => {
  const { origin } = new URL(url)
  let at = new URL(url)
  for (let followed = 0; followed <= MAX_REDIRECTS; followed++) {
    const response = await globalThis.fetch(at.href, { ...init, redirect: "manual" })
    const location = response.headers.get("location")
    if (response.status < 300 || response.status >= 400 || location === null) return response
    await response.body?.cancel()
    at = targetOf(location, at, origin)
    if (at.origin !== origin) {
      throw new RedirectRefused(
        `${origin} redirects to ${at.origin}, and requests are sent to the configured address only`,
      )
    }
    if (!keepsRequest.has(response.status) && (init?.method ?? "GET") !== "GET") {
      throw new RedirectRefused(
        `${origin} redirects with status ${response.status}, which would drop the request's body`,
      )
    }
  }
  throw new RedirectRefused(`${origin} redirects too often`)
}

const targetOf = (location: string, at: URL, origin: string): URL => {
  const target = URL.parse(location, at.href)
  if (target === null) throw new RedirectRefused(`${origin} redirects to an invalid address`)
  return target
}
