/** Which files in `node_modules` folders belong to a git repository. */
import { spawnSync } from "node:child_process"
import { accessSync, constants } from "node:fs"
import { delimiter, isAbsolute, join, relative } from "node:path"
import { isWithin } from "./isWithin.ts"

/** Bytes of output; a repository that tracks more names than this is treated as tracking everything. */
const MAX_LIST_BYTES = 64 * 1024 * 1024

const listed = new Map<string, ReadonlyArray<string> | undefined>()

/** Whether git tracks a file of this package folder. So it counts when git is there and cannot say. */
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

/** Paths from the repository's root; undefined when git fails. */
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

/** From PATH, without entries that the repository could put a program into. */
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
