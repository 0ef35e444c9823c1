/** A registry on this machine with the packed packages; it forwards requests for others to the public one. */
import { createHash } from "node:crypto"
import { readFile } from "node:fs/promises"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { gunzipSync } from "node:zlib"

const PUBLIC = "https://registry.npmjs.org"

export interface Registry {
  readonly url: string
  readonly close: () => Promise<void>
}

interface Packed {
  readonly name: string
  readonly version: string
}

/** The manifest of a tarball; in one of npm it is the entry `package/package.json`. */
const manifestOf = (tarball: Buffer): Packed => {
  const tar = gunzipSync(tarball)
  for (let at = 0; at < tar.length;) {
    const field = (from: number, length: number) =>
      tar.toString("utf8", at + from, at + from + length).replace(/\0.*$/s, "")
    const size = Number.parseInt(field(124, 12), 8) || 0
    const start = at + 512
    if (field(0, 100) === "package/package.json")
      return JSON.parse(tar.toString("utf8", start, start + size)) as Packed
    at = start + Math.ceil(size / 512) * 512
  }
  throw new Error("a tarball has no package.json")
}

export const startRegistry = async (tarballs: ReadonlyArray<string>): Promise<Registry> => {
  const packages = new Map(
    await Promise.all(
      tarballs.map(async (path) => {
        const bytes = await readFile(path)
        const manifest = manifestOf(bytes)
        return [manifest.name, { bytes, manifest }] as const
      }),
    ),
  )
  const server = createServer(async (request, response) => {
    const name = decodeURIComponent(request.url!.slice(1)).replace(/\?.*$/, "")
    const asTarball = name.endsWith(".tgz")
    const found = packages.get(asTarball ? name.replace(/\/-\/.*$/, "") : name)
    if (found === undefined) {
      response.writeHead(302, { location: `${PUBLIC}${request.url}` }).end()
      return
    }
    if (asTarball) {
      response.end(found.bytes)
      return
    }
    const { bytes, manifest } = found
    const { version } = manifest
    const integrity = `sha512-${createHash("sha512").update(bytes).digest("base64")}`
    const tarball = `${registry.url}/${name}/-/${version}.tgz`
    response.setHeader("content-type", "application/json")
    response.end(
      JSON.stringify({
        name,
        "dist-tags": { latest: version },
        versions: { [version]: { ...manifest, dist: { tarball, integrity } } },
      }),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const registry = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return registry
}
