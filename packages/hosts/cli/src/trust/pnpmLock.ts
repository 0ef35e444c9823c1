/** Reads pnpm-lock.yaml, versions 6 to 9: the entries under `packages:`, by name. */
import { combine, isRemote, nameIn, type Lock, type Origin } from "./Lock.ts"

/** Lines that pnpm writes, by indentation. Any other line could hide an entry, so such a file names no package. */
const known = [/^(?:[A-Za-z]\w*:.*|---)$/, /^('?)[^\s'"]+\1:(?: .*)?$/, /^[A-Za-z]+:(?: .*)?$/]

/** Reads line by line, because parsing a large lockfile as YAML takes seconds. */
export const pnpmLock = (text: string): Lock => {
  const origins = new Map<string, Array<Origin>>()
  const add = (name: string, origin: Origin) =>
    origins.set(name, [...(origins.get(name) ?? []), origin])
  let section = ""
  let name = ""
  for (const line of text.split(/\r?\n/)) {
    const depth = line.length - line.trimStart().length
    const rest = line.slice(depth)
    if (rest === "" || rest.startsWith("#")) continue
    if (depth === 0) section = rest.split(":")[0]!
    const isRead = section === "packages" || section === "patchedDependencies"
    if (depth > 0 && (!isRead || depth > 4)) continue
    if (depth % 2 === 1 || !known[depth / 2]!.test(rest)) return () => undefined
    if (depth === 2) {
      name = nameIn(/^'?\/?(.*?)'?:(?: .*)?$/.exec(rest)![1]!)
      if (section === "patchedDependencies") add(name, "local")
      else if (!rest.endsWith(":")) return () => undefined
    }
    if (depth === 4 && rest.startsWith("resolution:")) {
      add(name, originOf(rest.slice("resolution:".length).trim()))
    }
  }
  return (installed) => combine(origins.get(installed.name) ?? [])
}

/** Reads `{integrity: sha512-…}`, `{tarball: https://…}`, `{directory: lib, type: directory}`. */
const originOf = (resolution: string): Origin => {
  const [, inner] = /^\{([^{}]*)\}$/.exec(resolution) ?? []
  const facts = new Map(
    (inner ?? "").split(", ").map((fact) => {
      const [key = "", ...value] = fact.split(": ")
      return [key, value.join(": ").replaceAll(/^['"]|['"]$/g, "")] as const
    }),
  )
  const source = facts.get("tarball") ?? facts.get("repo")
  if (facts.has("directory") || facts.get("type") === "directory") return "local"
  if (source !== undefined) return isRemote(source) ? "fetched" : "local"
  return facts.has("integrity") ? "fetched" : "local"
}
