/** What a lockfile says about an installed package: fetched from elsewhere, taken from the folder, or nothing. */

export interface InstalledPackage {
  /** As its folder in `node_modules` is called: `@acme/tools`. */
  readonly name: string
  /** Its folder seen from the lockfile's, with `/`: `node_modules/@acme/tools`. */
  readonly path: string
}

/** Where the package comes from; undefined when the lockfile does not name it. */
export type Origin = "fetched" | "local" | undefined

export type Lock = (installed: InstalledPackage) => Origin

/** Of all entries by one name, or of all lockfiles of a folder: one that says local decides. */
export const combine = (origins: ReadonlyArray<Origin>): Origin =>
  origins.includes("local") ? "local" : origins.includes("fetched") ? "fetched" : undefined

/** Another machine serves it: a registry, a server of tarballs, a git host. `git+file:` and paths are the folder's. */
export const isRemote = (source: string): boolean =>
  /^(?:https?:\/\/|git\+(?:https?|ssh):\/\/|ssh:\/\/|git:\/\/|git@|github:|gitlab:|bitbucket:)/.test(
    source,
  )

/** Package name of a lockfile's key: `@acme/tools` of `@acme/tools@npm:^1.0.0`. */
export const nameIn = (key: string): string => {
  const at = key.indexOf("@", 1)
  return at < 0 ? key : key.slice(0, at)
}
