/** A release: each packed package is accepted by npm, and a version that the registry has is left alone. */
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { once } from "node:events"
import { afterAll, beforeAll, expect, inject, it } from "vitest"
import { publish } from "../../../../.ci/publish.ts"

const MINUTES = 60_000

/** A registry which has one package, and to which nothing may be uploaded. */
let registry: Server
const uploads: Array<string> = []

beforeAll(async () => {
  registry = createServer((request, response) => {
    if (request.method !== "GET") uploads.push(`${request.method} ${request.url}`)
    const name = decodeURIComponent(request.url!.slice(1)).replace(/\?.*$/, "")
    response.setHeader("content-type", "application/json")
    if (name === "@planloom/core") {
      const versions = { "0.1.0": { name, version: "0.1.0" } }
      response.end(JSON.stringify({ name, versions, "dist-tags": { latest: "0.1.0" } }))
    } else response.writeHead(404).end("{}")
  }).listen(0, "127.0.0.1")
  await once(registry, "listening")
})

afterAll(() => {
  registry.closeAllConnections()
  registry.close()
})

it(
  "publishes every package but the one that the registry has",
  { timeout: 5 * MINUTES },
  async () => {
    const url = `http://127.0.0.1:${(registry.address() as AddressInfo).port}`
    const tarballs = inject("tarballs")
    const published = await publish(tarballs, { dryRun: true, registry: url })
    expect(published).toHaveLength(tarballs.length)
    expect(published.filter(({ uploaded }) => !uploaded).map(({ id }) => id)).toEqual([
      "@planloom/core@0.1.0",
    ])
    expect(uploads).toEqual([])
  },
)
