/** Finds files in `node_modules` folders that a git repository tracks. */
import { spawnSync } from "node:child_process"
import { accessSync, constants } from "node:fs"
import { delimiter, isAbsolute, join, relative } from "node:path"
import { isWithin } from "./isWithin.ts"

/** Limit for git's output; a repository with a longer list is treated as tracking everything. */
const MAX_LIST_BYTES = 64 * 1024 * 1024

const listed = new Map<string, ReadonlyArray<string> | undefined>()

/** Returns whether git tracks a file of this package folder; also true if git fails. */
export const isTracked = (packageFolder: string, repository: string): boolean => {
  const git = findGit(repository)
  if (git === undefined) return false
  if (!listed.has(repository)) listed.set(repository, trackedIn(git, repository))
  const files = listed.get(repository)
  if (files === undefined) return true
  // The index may spell a path differently on a file system that ignores case.
  const within = `${relative(repository, packageFolder).replaceAll("\\", "/").toLowerCase()}/`
  return files.some((file) => file.toLowerCase().startsWith(within))
}

/** Returns paths relative to the repository's root; undefined if git fails. */
const trackedIn = (git: string, repository: string): ReadonlyArray<string> | undefined => {
  const { status, stdout } = spawnSync(git, [...inert, "ls-files", "-z", "--", pathspec], {
    cwd: repository,
    encoding: "utf8",
    maxBuffer: MAX_LIST_BYTES,
    env: {
      ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^GIT_/i.test(name))),
      GIT_NO_LAZY_FETCH: "1",
      GIT_OPTIONAL_LOCKS: "0",
    },
  })
  return status === 0 ? stdout.split("\0") : undefined
}

const pathspec = ":(top,icase,glob)**/node_modules/**"

/** Settings of a repository that would make git run a program. */
const inert = ["-c", "core.fsmonitor=false", "-c", "safe.bareRepository=explicit", "--no-pager"]

/** Finds git on PATH, without entries inside the repository, which could contain its own program. */
const findGit = (repository: string): string | undefined => {
  const name = process.platform === "win32" ? "git.exe" : "git"
  return (process.env["PATH"] ?? "")
    .split(delimiter)
    .filter((folder) => isAbsolute(folder) && !isWithin(repository, folder))
    .map((folder) => join(folder, name))
    .find(isExecutable)
}

const isExecutable = (file: string): boolean => {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
