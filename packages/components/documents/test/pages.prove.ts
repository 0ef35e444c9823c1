/** HTML files and pages by URL: their content without navigation, changes by what servers mark, and what is refused. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { once } from "node:events"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { DocumentIndex, type LibrarySources } from "../src/index.ts"

const { signal } = new AbortController()

let folder: string
let server: Server
let origin: string
let opened: Array<DocumentIndex>
let answer: (request: IncomingMessage, response: ServerResponse) => void
let asked: Array<string>

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "planloom-pages-"))
  opened = []
  asked = []
  server = createServer((request, response) => {
    asked.push(`${request.url} ${request.headers["if-none-match"] ?? ""}`.trim())
    answer(request, response)
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})

afterEach(() => {
  for (const index of opened) index.close()
  server.closeAllConnections()
  server.close()
  rmSync(folder, { recursive: true, force: true })
})

const open = (sources: LibrarySources) => {
  const index = new DocumentIndex(join(folder, "index.sqlite"), sources)
  opened.push(index)
  return index
}

const page = (content: string) => `<!doctype html>
<html><head><title>Shop: returns</title><script>var scripted = 1</script></head><body>
<nav><a href="/">Home</a> <a href="/navword">navword</a></nav>
<main><article><h1>Returns</h1>${content}
<h2>Fees</h2><table><tr><th>Country</th><th>Fee</th></tr><tr><td>Iceland</td><td>5 | 6</td></tr></table>
<pre><code>npm run refund
now</code></pre></article></main><footer>footerword</footer></body></html>`

const paragraph =
  "<p>Goods can be <b>returned</b> within 30 days. Refunds take five working days, and are paid to the card that was used.</p>"

describe("an HTML file", () => {
  const synced = async (html: string) => {
    writeFileSync(join(folder, "a.html"), html)
    const index = open({ folder: { root: folder, include: ["*.html"] } })
    return { index, report: await index.sync({ signal }) }
  }

  it("is its content with headings, tables and code, without navigation, scripts and lines", async () => {
    const { index, report } = await synced(page(paragraph))
    expect(report).toMatchObject({ added: ["a.html"], unreadable: [], cut: [] })
    const [hit] = index.search("returned goods refunds", { limit: 5 }).hits
    expect(hit).toMatchObject({ headings: ["Returns"], missing: [] })
    expect(hit).not.toHaveProperty("lines")
    const shown = index
      .show("a.html")
      .map(({ text }) => text)
      .join("\n")
    expect(shown).toContain("| Iceland | 5 \\| 6 |")
    expect(shown).toContain("```\nnpm run refund\nnow\n```")
    expect(shown).not.toMatch(/navword|footerword|scripted/)
  })

  it("that is nested without end stops its thread, and the next file is read", async () => {
    writeFileSync(join(folder, "b.html"), page(paragraph))
    const { report } = await synced("<div>".repeat(100_000))
    expect(report.unreadable).toMatchObject([{ path: "a.html" }])
    expect(report.added).toEqual(["a.html", "b.html"])
  }, 60_000)
})

describe("pages by URL", () => {
  const urls = (...paths: ReadonlyArray<string>): LibrarySources => ({
    pages: { urls: paths.map((path) => `${origin}${path}`), private: ["127.0.0.1"] },
  })

  const html = (response: ServerResponse, body: string, headers: object = {}) =>
    response.writeHead(200, { "content-type": "text/html; charset=utf-8", ...headers }).end(body)

  it("are asked again by their mark, only where a sync asks pages, and change with it", async () => {
    let version = "one"
    answer = (request, response) =>
      request.headers["if-none-match"] === version
        ? response.writeHead(304).end()
        : html(response, page(`${paragraph}<p>Edition ${version}.</p>`), { etag: version })
    const index = open(urls("/a"))
    const path = `${origin}/a`
    expect((await index.sync({ signal })).added).toEqual([path])
    await index.sync({ signal })
    expect(asked).toEqual(["/a"])
    expect(await index.sync({ signal, asksPages: true })).toMatchObject({ changed: [] })
    version = "two"
    expect(await index.sync({ signal, asksPages: true })).toMatchObject({ changed: [path] })
    expect(asked).toEqual(["/a", "/a one", "/a one"])
    expect(index.search("edition two", { limit: 1 }).hits[0]).toMatchObject({ path, missing: [] })
  })

  it("keep what is known while their server fails, and lose it when it says that they are gone", async () => {
    let status = 200
    answer = (_, response) =>
      status === 200 ? html(response, page(paragraph)) : response.writeHead(status).end("no")
    const index = open(urls("/a"))
    await index.sync({ signal })
    status = 503
    const failing = await index.sync({ signal, asksPages: true })
    expect(failing.unreadable).toEqual([{ path: `${origin}/a`, reason: "its server answers 503" }])
    expect(index.search("refunds", { limit: 1 }).hits).toHaveLength(1)
    status = 404
    expect(await index.sync({ signal, asksPages: true })).toMatchObject({
      changed: [`${origin}/a`],
      unreadable: [{ reason: "its server answers 404" }],
    })
    expect(index.search("refunds", { limit: 1 }).hits).toEqual([])
  })

  it("are refused at addresses that are not public, on other hosts, too large, or of another type", async () => {
    answer = (request, response) => {
      if (request.url === "/large") html(response, "x".repeat(6_000_000))
      else if (request.url === "/image")
        response.writeHead(200, { "content-type": "image/png" }).end("x")
      else response.writeHead(302, { location: "http://127.0.0.1:1/elsewhere" }).end()
    }
    const { pages } = urls("/away", "/large", "/image")
    const index = open({ pages: pages! })
    const { unreadable } = await index.sync({ signal })
    expect(Object.fromEntries(unreadable.map((one) => [one.path, one.reason]))).toEqual({
      [`${origin}/away`]: expect.stringContaining("http://127.0.0.1:1 is not in `hosts`"),
      [`${origin}/large`]: expect.stringContaining("larger than 5000000 bytes"),
      [`${origin}/image`]: "it is of the type image/png",
    })
    asked = []
    index.close()
    rmSync(join(folder, "index.sqlite"))
    opened = []
    const guarded = open({ pages: { urls: pages!.urls } })
    const report = await guarded.sync({ signal })
    expect(report.unreadable[0]?.reason).toContain("127.0.0.1 is not a public address")
    expect(asked).toEqual([])
  })
})
