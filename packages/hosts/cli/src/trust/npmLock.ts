/** Reads package-lock.json and npm-shrinkwrap.json, versions 2 and 3, whose keys are paths. */
import { isRemote, type Lock, type Origin } from "./Lock.ts"

interface Entry {
  readonly link?: unknown
  readonly resolved?: unknown
  readonly integrity?: unknown
  readonly inBundle?: unknown
}

export const npmLock = (text: string): Lock => {
  const { packages } = JSON.parse(text) as {
    readonly packages?: { readonly [path: string]: Entry }
  }
  const originOf = (path: string): Origin => {
    const entry =
      packages !== undefined && Object.hasOwn(packages, path) ? packages[path] : undefined
    if (entry === undefined) return undefined
    if (entry.link === true) return "local"
    if (typeof entry.resolved === "string") return isRemote(entry.resolved) ? "fetched" : "local"
    // A bundled package has the origin of the package that contains it.
    if (entry.inBundle === true)
      return originOf(path.replace(/\/node_modules\/(?:@[^/]+\/)?[^/]+$/, ""))
    return typeof entry.integrity === "string" ? "fetched" : "local"
  }
  return ({ path }) => originOf(path)
}
