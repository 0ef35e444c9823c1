/** A side of a comparison: the packages of a tree, installed into an empty project, with this tree's scripts beside them. */
import { execFileSync } from "node:child_process"
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pnpmCommand } from "../../.ci/pnpmCommand.ts"
import { root } from "./trees.ts"

export interface Side {
  readonly name: string
  /** A copy of the scripts; packages are found from it. */
  readonly folder: string
  /** Removes the copy. */
  readonly leave: () => void
}

/** Installed sides, which later comparisons use again, until they have not been used for a day. */
const kept = join(tmpdir(), "planloom-compare")
const DAY_MS = 24 * 60 * 60 * 1000

const execute = (cwd: string, [command, ...args]: readonly [string, ...ReadonlyArray<string>]) => {
  try {
    execFileSync(command, args, { cwd, stdio: "pipe", maxBuffer: 2 ** 26 })
  } catch (error) {
    const { stderr, stdout } = error as { readonly stdout: Buffer; readonly stderr: Buffer }
    throw new Error(`${command} ${args.join(" ")} in ${cwd}\n${String(stdout)}${String(stderr)}`, {
      cause: error,
    })
  }
}

/** Packs a tree with its own scripts, and installs the tarballs as users do. */
const install = (tree: string, project: string) => {
  const source = mkdtempSync(join(tmpdir(), "planloom-source-"))
  try {
    execute(root, ["git", "archive", "--output", join(source, "tree.tar"), tree])
    execute(source, ["tar", "-xf", "tree.tar"])
    const packed = join(source, "packed")
    mkdirSync(packed)
    const pnpm = pnpmCommand()
    execute(source, [...pnpm, "install", "--frozen-lockfile", "--prefer-offline"])
    execute(source, [...pnpm, "run", "tarballs", packed])
    const tarballs = readdirSync(packed).filter((name) => name.endsWith(".tgz"))
    writeFileSync(join(project, "package.json"), '{ "private": true, "type": "module" }\n')
    execute(project, [
      "npm",
      "install",
      "--no-audit",
      "--no-fund",
      "--prefer-offline",
      ...tarballs.map((name) => join(packed, name)),
    ])
  } finally {
    rmSync(source, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** Removes sides that no comparison has used for a day. */
const forget = () => {
  for (const name of readdirSync(kept)) {
    const folder = join(kept, name)
    if (Date.now() - statSync(folder).mtimeMs > DAY_MS) rmSync(folder, { recursive: true })
  }
}

/** Installs the tree unless that was done before, and copies this tree's scripts beside its packages. */
export const enter = (tree: string, name: string, say: (text: string) => void): Side => {
  mkdirSync(kept, { recursive: true })
  forget()
  const project = join(kept, tree)
  if (!existsSync(project)) {
    say(`packing and installing ${name}`)
    const made = mkdtempSync(join(kept, "new-"))
    install(tree, made)
    // Another comparison may have been faster.
    if (existsSync(project)) rmSync(made, { recursive: true })
    else renameSync(made, project)
  }
  utimesSync(project, new Date(), new Date())
  const folder = mkdtempSync(join(project, "bench-"))
  for (const part of ["works", "hosts"]) {
    cpSync(join(root, "bench", part), join(folder, part), { recursive: true })
  }
  for (const workflow of ["noop", "generate"]) {
    execute(join(folder, "hosts"), [
      process.execPath,
      "command.mjs",
      "build",
      "--trust",
      `${workflow}.yaml`,
    ])
  }
  return { name, folder, leave: () => rmSync(folder, { recursive: true, force: true }) }
}
