/** Reads bun.lock, whose keys are paths of package names. */
import { combine, isRemote, nameIn, type Lock, type Origin } from "./Lock.ts"

interface BunLock {
  /** `"acme/tools": ["tools@1.0.0", "", {}, "sha512-…"]`. */
  readonly packages?: { readonly [path: string]: ReadonlyArray<unknown> }
  /** Keyed by name and version. */
  readonly patchedDependencies?: { readonly [patched: string]: string }
}

export const bunLock = (text: string): Lock => {
  // Bun writes a comma after the last item.
  const { packages, patchedDependencies } = JSON.parse(
    text.replaceAll(/,(?=\s*[\]}])/g, ""),
  ) as BunLock
  const entries = Object.entries(packages ?? {}).map(
    ([path, [resolution]]) => [lastName(path), originOf(String(resolution))] as const,
  )
  const patched = Object.keys(patchedDependencies ?? {}).map(
    (key) => [nameIn(key), "local"] as const,
  )
  const all = [...entries, ...patched]
  return (installed) =>
    combine(all.flatMap(([name, origin]) => (name === installed.name ? [origin] : [])))
}

/** Returns `@acme/tools` of `host/@acme/tools`. */
const lastName = (path: string): string => /(?:^|\/)((?:@[^/]+\/)?[^/]+)$/.exec(path)?.[1] ?? path

/** `tools@1.0.0` comes from a registry; other resolutions contain their source. */
const originOf = (resolution: string): Origin => {
  const source = resolution.slice(nameIn(resolution).length + 1)
  return /^\d/.test(source) || isRemote(source) ? "fetched" : "local"
}
