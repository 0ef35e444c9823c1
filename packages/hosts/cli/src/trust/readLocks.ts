/** Reads the lockfiles of a folder. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { bunLock } from "./bunLock.ts"
import { combine, type Lock } from "./Lock.ts"
import { npmLock } from "./npmLock.ts"
import { pnpmLock } from "./pnpmLock.ts"
import { yarnLock } from "./yarnLock.ts"

/**
 * Readers by file name. A lockfile may be part of a hostile folder: a reader accepts only what its package manager
 * writes; a file with anything else names no package.
 */
const readers: { readonly [file: string]: (text: string) => Lock } = {
  "package-lock.json": npmLock,
  "npm-shrinkwrap.json": npmLock,
  "pnpm-lock.yaml": pnpmLock,
  "yarn.lock": yarnLock,
  "bun.lock": bunLock,
}

const known = new Map<string, Lock | undefined>()

/** Returns undefined for a folder without a lockfile. Cached, because every import of a plugin needs it. */
export const readLocks = (folder: string): Lock | undefined => {
  if (!known.has(folder)) known.set(folder, locksOf(folder))
  return known.get(folder)
}

const locksOf = (folder: string): Lock | undefined => {
  const locks = Object.entries(readers).flatMap(([file, read]): ReadonlyArray<Lock> => {
    const text = textOf(join(folder, file))
    if (text === undefined) return []
    try {
      return [read(text)]
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error
      return [() => undefined]
    }
  })
  return locks.length === 0
    ? undefined
    : (installed) => combine(locks.map((lock) => lock(installed)))
}

/** Returns undefined for a missing file; an unreadable one is empty text, which names no package. */
const textOf = (path: string): string | undefined => {
  try {
    return readFileSync(path, "utf8")
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT" ? undefined : ""
  }
}
