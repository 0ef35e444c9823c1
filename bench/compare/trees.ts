/** Git trees: that of a commit, and that of the working folder as it is, with what is not committed. */
import { execFileSync } from "node:child_process"
import { copyFileSync, existsSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

export const root = join(import.meta.dirname, "../..")

const git = (args: ReadonlyArray<string>, env: { readonly [name: string]: string } = {}): string =>
  execFileSync("git", [...args], {
    cwd: root,
    encoding: "utf8",
    env: { ...process.env, ...env },
  }).trim()

export const treeOf = (ref: string): string => git(["rev-parse", "--verify", `${ref}^{tree}`])

/** Written through an index of its own: the real one and the files stay. */
export const workingTree = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "planloom-index-"))
  try {
    const own = { GIT_INDEX_FILE: join(folder, "index") }
    const index = join(root, git(["rev-parse", "--git-path", "index"]))
    if (existsSync(index)) copyFileSync(index, own.GIT_INDEX_FILE)
    git(["add", "--all"], own)
    return git(["write-tree"], own)
  } finally {
    rmSync(folder, { recursive: true })
  }
}
