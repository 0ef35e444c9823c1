/** Every TypeScript block of the documentation has the types of the packages, and runs unless its names are the reader's. */
import { execFile } from "node:child_process"
import { globSync } from "node:fs"
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { basename, dirname, join } from "node:path"
import { promisify } from "node:util"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { blocks, withClaims, type Block } from "./code/blocks.ts"
import { besides, given, notRun } from "./code/given.ts"

const root = join(import.meta.dirname, "../../../..")
const exec = promisify(execFile)

const compilerOptions = {
  target: "ES2024",
  lib: ["ES2024", "ESNext.Iterator"],
  module: "NodeNext",
  moduleResolution: "NodeNext",
  types: ["node"],
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: true,
  noEmit: true,
  allowImportingTsExtensions: true,
  erasableSyntaxOnly: true,
}

let folder: string
const write = async (path: string, text: string) => {
  await mkdir(dirname(join(folder, path)), { recursive: true })
  await writeFile(join(folder, path), text)
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "planloom-code-"))
  await mkdir(join(folder, "node_modules/@planloom"), { recursive: true })
  for (const source of globSync("packages/*/*/package.json", { cwd: root }).map(dirname))
    await symlink(join(root, source), join(folder, "node_modules/@planloom", basename(source)))
  for (const name of ["@types", "effect", "vitest"])
    await symlink(join(root, "node_modules", name), join(folder, "node_modules", name))
  await write("package.json", '{ "type": "module" }')
  await write("tsconfig.json", JSON.stringify({ compilerOptions, include: ["*.ts"] }))
  for (const [path, text] of Object.entries(besides)) await write(path, text)
  for (const { code, file } of blocks) await write(file, code)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const isRun = ({ name }: Block): boolean => given[name] === undefined && notRun[name] === undefined

describe("the documentation's TypeScript", () => {
  it("is there, and what is said of blocks is of ones that exist", () => {
    const names = blocks.map(({ name }) => name)
    expect(names.length).toBeGreaterThan(50)
    expect(names).toEqual(expect.arrayContaining([...Object.keys(given), ...Object.keys(notRun)]))
  })

  it("has the types of the packages", async () => {
    const tsc = join(root, "node_modules/.bin/tsc")
    const { stdout } = await exec(tsc, ["-p", folder, "--singleThreaded"], {
      cwd: folder,
      env: { ...process.env, GOGC: "off", GOMEMLIMIT: "2GiB" },
    }).catch((error: { readonly stdout: string }) => error)
    const named = blocks.reduce((text, { file, name }) => text.replaceAll(file, name), stdout)
    expect(named).toBe("")
  })

  it("runs, and gives what its comments say", async () => {
    const run = blocks.filter(isRun)
    for (const { code, file } of run) await write(`run/${file}`, withClaims(code))
    for (const [path, text] of Object.entries(besides)) await write(`run/${path}`, text)
    const { stdout } = await exec(
      process.execPath,
      [
        "--no-warnings",
        join(import.meta.dirname, "code/runBlocks.mjs"),
        ...run.map(({ file }) => join(folder, "run", file)),
      ],
      { cwd: join(folder, "run"), env: { ...process.env, PLANLOOM_TRUST: "" } },
    )
    const results = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as { failed?: string; right: number; wrong: Array<string> })
    const problems = results.flatMap(({ failed, wrong }, index) =>
      [...(failed === undefined ? [] : [failed]), ...wrong].map(
        (problem) => `${run[index]!.name}: ${problem}`,
      ),
    )
    expect(problems).toEqual([])
    expect(results).toHaveLength(run.length)
    expect(results.reduce((sum, { right }) => sum + right, 0)).toBeGreaterThan(5)
  })
})
