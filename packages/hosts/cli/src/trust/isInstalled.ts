/** Returns whether a file is part of an installed package: named by the lockfile, and not tracked in the folder. */
import { existsSync } from "node:fs"
import { dirname, join, relative, sep } from "node:path"
import type { Lock } from "./Lock.ts"
import { readLocks } from "./readLocks.ts"
import { isTracked } from "./trackedPackages.ts"

const inModules = `${sep}node_modules${sep}`

const known = new Map<string, boolean>()

/** Expects a real path: a package that is linked into the folder is then outside `node_modules`. */
export const isInstalled = (file: string): boolean => {
  const at = file.lastIndexOf(inModules)
  if (at < 0) return false
  const [, name] = /^((?:@[^/\\]+[/\\])?[^/\\]+)[/\\]/.exec(file.slice(at + inModules.length)) ?? []
  if (name === undefined) return false
  const folder = join(file.slice(0, at), "node_modules", name)
  const installed = known.get(folder) ?? isFetched(folder, name.replaceAll("\\", "/"))
  known.set(folder, installed)
  return installed
}

const isFetched = (folder: string, name: string): boolean => {
  const repository = foldersUpFrom(folder).find((at) => existsSync(join(at, ".git")))
  if (repository !== undefined && isWithinModules(repository)) return false
  const found = nearestLock(folder, repository)
  if (found === undefined) return false
  const path = relative(found.folder, folder).replaceAll("\\", "/")
  if (found.lock({ name, path }) !== "fetched") return false
  return repository === undefined || !isTracked(folder, repository)
}

/** Finds the nearest lockfile; one inside `node_modules` belongs to a package and is ignored. */
const nearestLock = (
  folder: string,
  repository: string | undefined,
): { readonly folder: string; readonly lock: Lock } | undefined => {
  for (const at of foldersUpFrom(folder)) {
    const lock = isWithinModules(at) ? undefined : readLocks(at)
    if (lock !== undefined) return { folder: at, lock }
    if (at === repository) return undefined
  }
  return undefined
}

const isWithinModules = (folder: string): boolean => `${folder}${sep}`.includes(inModules)

const foldersUpFrom = (folder: string): ReadonlyArray<string> => {
  const above = dirname(folder)
  return above === folder ? [folder] : [folder, ...foldersUpFrom(above)]
}
