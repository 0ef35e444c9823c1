/** Origin of an installed package by its lockfile: fetched, local, or unknown. */

export interface InstalledPackage {
  /** Name of its folder in `node_modules`: `@acme/tools`. */
  readonly name: string
  /** Its folder relative to the lockfile, with `/`: `node_modules/@acme/tools`. */
  readonly path: string
}

/** Undefined if the lockfile does not name the package. */
export type Origin = "fetched" | "local" | undefined

export type Lock = (installed: InstalledPackage) => Origin

/** Combines all entries of a name, or all lockfiles of a folder: one local entry makes the package local. */
export const combine = (origins: ReadonlyArray<Origin>): Origin =>
  origins.includes("local") ? "local" : origins.includes("fetched") ? "fetched" : undefined

/** Returns whether a source is remote: a registry, a tarball server, a git host. `git+file:` and paths are local. */
export const isRemote = (source: string): boolean =>
  /^(?:https?:\/\/|git\+(?:https?|ssh):\/\/|ssh:\/\/|git:\/\/|git@|github:|gitlab:|bitbucket:)/.test(
    source,
  )

/** Returns the package name in a lockfile's key: `@acme/tools` of `@acme/tools@npm:^1.0.0`. */
export const nameIn = (key: string): string => {
  const at = key.indexOf("@", 1)
  return at < 0 ? key : key.slice(0, at)
}
