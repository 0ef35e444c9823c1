/** Reads the pages of a list one after another, up to a limit. */
import type { Json } from "@planloom/plugin/effect"
import { isObject } from "@planloom/schema"
import type { Pages } from "../endpoint/Endpoint.ts"
import { encode } from "../endpoint/encode.ts"
import { HttpFailed } from "../HttpFailed.ts"
import { nextLink } from "./nextLink.ts"

/** One page as it arrived. */
export interface Page {
  readonly value: Json
  /** After redirects. */
  readonly url: URL
  readonly link: string | undefined
}

const DEFAULT_LIMIT = 10

/** `read` requests the URL of a page. */
export const readPages = async (
  pages: Pages,
  first: URL,
  read: (url: URL) => Promise<Page>,
): Promise<Json> => {
  const { limit = DEFAULT_LIMIT, partial = false } = pages
  const items: Array<Json> = []
  const seen = new Set<string>()
  let url: URL | undefined = startOf(pages, first)
  let count = 0
  while (url !== undefined && count < limit) {
    seen.add(url.href)
    const page = await read(url)
    const list = itemsOf(page, pages.items)
    items.push(...list)
    count++
    url = nextOf(pages, page, url, list.length, items.length)
    if (url !== undefined && seen.has(url.href)) {
      throw new HttpFailed("tool_error", `${url.origin} gives the same page again as the next one`)
    }
  }
  if (url !== undefined && !partial) {
    throw new HttpFailed(
      "too_large",
      `there are more than ${limit} pages; raise \`limit\` of \`pages\`, or accept an incomplete list with \`partial: true\``,
    )
  }
  return { items, pages: count, complete: url === undefined }
}

const startOf = (pages: Pages, first: URL): URL =>
  pages.by === "page" || pages.by === "offset"
    ? withParam(first, pages.param, String(firstNumber(pages)))
    : first

const firstNumber = (pages: Extract<Pages, { readonly by: "page" | "offset" }>): number =>
  pages.start ?? (pages.by === "page" ? 1 : 0)

/** Undefined after the last page. A page by number is the last one if it is empty. */
const nextOf = (
  pages: Pages,
  page: Page,
  url: URL,
  length: number,
  total: number,
): URL | undefined => {
  switch (pages.by) {
    case "link":
      return sameOrigin(nextLink(page.link, page.url), url)
    case "cursor": {
      const cursor = memberAt(page.value, pages.next)
      if (cursor === null || cursor === undefined || cursor === "" || cursor === false)
        return undefined
      const text = typeof cursor === "object" ? JSON.stringify(cursor) : String(cursor)
      // Some services give the whole URL of the next page.
      return /^https?:\/\//.test(text)
        ? sameOrigin(new URL(text), url)
        : withParam(url, pages.param, text)
    }
    case "page": {
      const number = Number(url.searchParams.get(pages.param))
      return length === 0 ? undefined : withParam(url, pages.param, String(number + 1))
    }
    case "offset":
      return length === 0
        ? undefined
        : withParam(url, pages.param, String(firstNumber(pages) + total))
  }
}

/** Authentication is for one origin, so pages do not lead to another. */
const sameOrigin = (next: URL | undefined, url: URL): URL | undefined => {
  if (next === undefined || next.origin === url.origin) return next
  throw new HttpFailed(
    "tool_error",
    `the next page of ${url.origin} is at another origin, ${next.origin}`,
  )
}

const withParam = (url: URL, param: string, value: string): URL => {
  const next = new URL(url)
  const key = encode(param)
  // Other parameters stay as they were encoded.
  const others = next.search
    .slice(1)
    .split("&")
    .filter((pair) => pair !== "" && pair.split("=", 1)[0] !== key)
  next.search = [...others, `${key}=${encode(value)}`].join("&")
  return next
}

const itemsOf = ({ url, value }: Page, path: string | undefined): ReadonlyArray<Json> => {
  const items = path === undefined ? value : memberAt(value, path)
  if (Array.isArray(items)) return items as ReadonlyArray<Json>
  if (items === null) return []
  throw new HttpFailed(
    "invalid_output",
    `the answer of ${url.origin} has no list ${path === undefined ? "of items; name its path with `items`" : `at "${path}"`}`,
  )
}

const memberAt = (value: Json, path: string): Json | undefined =>
  path
    .split(".")
    .reduce<Json | undefined>(
      (inner, key) =>
        isObject(inner as never) && Object.hasOwn(inner as object, key)
          ? (inner as { readonly [key: string]: Json })[key]
          : undefined,
      value,
    )
