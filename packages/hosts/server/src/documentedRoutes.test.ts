/** Routes in the documentation are those that the server has. */
import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "vitest"
import { routes } from "./handler.ts"

const root = join(import.meta.dirname, "../../../..")

/** Those that need no token are apart from the list. */
const known = [
  ...routes.map(([method, path]) => [method, path] as const),
  ["GET", "/"],
  ["GET", "/health"],
  ["POST", "/hooks/:name"],
  ["POST", "/mcp"],
].map(([method, path]) => [method!, path!.split("/")] as const)

/** Whether a documented path is of the route: `…`, `:run` and `{run}` stand for a segment, `*name` for all others. */
const isOf = (parts: ReadonlyArray<string>, segments: ReadonlyArray<string>): boolean =>
  parts.every((part, at) =>
    part.startsWith("*")
      ? segments.length > at
      : part.startsWith(":")
        ? (segments[at] ?? "") !== ""
        : part === segments[at],
  ) &&
  (parts.at(-1)!.startsWith("*") || parts.length === segments.length)

interface Documented {
  readonly page: string
  readonly method: string
  readonly path: string
}

/** `GET /runs…` stands for several. */
const inCode = /`(GET|POST|PUT|PATCH|DELETE) (\/[^\s`?…]*)(?=[\s`?])[^`]*`/g
const inCurl = /\bcurl\b(.*?)(?:localhost|127\.0\.0\.1):8787(\/[^\s'"]*)(.*)/g

const documented = globSync("docs/**/*.md", { cwd: root }).flatMap(
  (page): ReadonlyArray<Documented> => {
    const text = readFileSync(join(root, page), "utf8").replaceAll(/\\\n\s*/g, "")
    return [
      ...[...text.matchAll(inCode)].map(([, method, path]) => ({
        page,
        method: method!,
        path: path!,
      })),
      ...[...text.matchAll(inCurl)].map(([, before, path, after]) => ({
        page,
        path: path!,
        method: /-X (\w+)/.exec(`${before}${after}`)?.[1] ?? (/ -d /.test(after!) ? "POST" : "GET"),
      })),
    ]
  },
)

describe("a route in the documentation", () => {
  it("is found, in words and in calls of curl", () => {
    assert.isAbove(documented.length, 30)
    assert.isTrue(documented.some(({ path }) => path === "/runs/order-4711/answers/sign_off"))
  })

  it.each(documented)("of $page is one of the server's: $method $path", ({ method, path }) => {
    const segments = path.split("/")
    assert.isTrue(known.some(([of, parts]) => of === method && isOf(parts, segments)))
  })
})
