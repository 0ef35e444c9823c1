/** Installs the packed tarballs into an empty project and uses them there, as a stranger would. */
import { execFile } from "node:child_process"
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { pack } from "../../../.ci/pack.ts"

const MINUTES = 60_000

/** Where the tarballs go, and the empty project that installs them. */
const folders: Array<string> = []
let project: string

const folder = async (name: string) => {
  const made = await mkdtemp(join(tmpdir(), `planloom-${name}-`))
  folders.push(made)
  return made
}

interface Outcome {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** Runs a program in the project and answers how it ended, whether or not it went well. */
const run = (file: string, ...args: ReadonlyArray<string>) =>
  new Promise<Outcome>((resolve) => {
    // What the workspace's own run put there would make another package manager's run differ.
    const ours =
      /^(npm_(lifecycle|package|execpath|command)|pnpm_|VITEST|NODE_(ENV|PATH|OPTIONS)$)/i
    const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !ours.test(name)))
    const options = { cwd: project, env, timeout: 3 * MINUTES }
    execFile(file, args, options, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code ?? 1), stdout, stderr }),
    )
  })

const planloom = (...args: ReadonlyArray<string>) =>
  run(process.execPath, "./node_modules/@planloom/cli/dist/bin.js", ...args)

beforeAll(async () => {
  const tarballs = await pack(await folder("packed"))
  project = await folder("project")
  await writeFile(join(project, "package.json"), '{ "private": true, "type": "module" }\n')
  const quiet = ["--no-audit", "--no-fund", "--prefer-offline"]
  const installed = await run("npm", "install", ...quiet, ...tarballs)
  if (installed.code !== 0) throw new Error(`npm install\n${installed.stdout}${installed.stderr}`)
}, 5 * MINUTES)

afterAll(async () => {
  for (const made of folders) await rm(made, { recursive: true, force: true })
})

describe("the packed command, in an empty project", () => {
  it(
    "says its version",
    async () => {
      const manifest = join(import.meta.dirname, "../package.json")
      const { version } = JSON.parse(await readFile(manifest, "utf8")) as { version: string }
      const said = await run("./node_modules/.bin/planloom", "--version")
      expect(said).toMatchObject({ code: 0, stdout: `planloom v${version}\n` })
    },
    MINUTES,
  )

  it(
    "lists its commands",
    async () => {
      const said = await planloom("--help")
      expect(said.code).toBe(0)
      expect(said.stdout).toContain("planloom")
    },
    MINUTES,
  )
})

describe("the packed libraries, in an empty project", () => {
  it.each(["plugin", "planning", "core", "stages", "retrieval", "testing", "tools-data"])(
    "@planloom/%s can be imported",
    async (name) => {
      const said = await run(
        process.execPath,
        "--input-type=module",
        "-e",
        `console.log(typeof await import("@planloom/${name}"))`,
      )
      expect(said, said.stderr).toMatchObject({ code: 0, stdout: "object\n" })
    },
    MINUTES,
  )
})
