/** The layers: no source imports what ARCHITECTURE.md does not allow, and the linter's own rules bite on a small tree that breaks each. */
import { execFile } from "node:child_process"
import { globSync, readFileSync } from "node:fs"
import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { importsOf, layersOf, problemOf } from "./layersOf.ts"

const root = join(import.meta.dirname, "../../../..")
const layers = layersOf(readFileSync(join(root, "ARCHITECTURE.md"), "utf8"))

it("hold for every import of the sources", () => {
  const files = globSync("packages/*/*/src/**/*.ts", { cwd: root }).filter(
    (file) => !file.endsWith(".test.ts"),
  )
  const imports = files.flatMap((file) => importsOf(file, readFileSync(join(root, file), "utf8")))
  expect(imports.length).toBeGreaterThan(5 * files.length)
  const problems = imports.flatMap((one) => {
    const problem = problemOf(layers, one)
    return problem === undefined ? [] : [`${one.file} imports ${one.name}: ${problem}`]
  })
  expect(problems).toEqual([])
})

/** Imports that the tables must refuse, as `[file, imported, words of the message]`. */
const refused: ReadonlyArray<readonly [file: string, imported: string, says: string]> = [
  ["packages/contract/plugin/src/A.ts", "@planloom/core", "plugin may import schema"],
  ["packages/contract/schema/src/A.ts", "@planloom/plugin", "no other package"],
  ["packages/engine/planning/src/A.ts", "@planloom/tables", "planning may import"],
  ["packages/engine/planning/src/B.ts", "effect/Effect", "planning is pure"],
  ["packages/engine/planning/src/C.ts", "node:fs", "planning is pure"],
  ["packages/components/stages/src/kinds/a_b.ts", "@planloom/core", "stages may import"],
  ["packages/components/stages/src/A.ts", "@planloom/retrieval", "stages may import"],
  ["packages/engine/core/src/run/A.ts", "@planloom/stages", "core may import"],
  ["packages/engine/core/src/pipeline/C.ts", "@planloom/language", "types of language only"],
  ["packages/engine/core/src/pipeline/A.ts", "../model/Call.ts", "pipeline/ comes before model/"],
  ["packages/engine/core/src/hook/A.ts", "../run/run.ts", "hook/ comes before run/"],
  ["packages/engine/core/src/run/B.ts", "../index.ts", "not index.ts"],
  ["packages/engine/core/src/Workflow.ts", "./index.ts", "not index.ts"],
  [
    "packages/engine/language/src/source/A.ts",
    "../definition/A.ts",
    "source/ comes before definition/",
  ],
  [
    "packages/engine/language/src/definition/rules/a_b.ts",
    "../../load/A.ts",
    "definition/ comes before",
  ],
  ["packages/components/tools-files/src/A.ts", "@planloom/documents", "documents/read"],
  ["packages/hosts/server/src/A.ts", "@planloom/cli", "server may import"],
  ["packages/hosts/create-planloom/src/A.ts", "effect/Effect", "Node alone"],
  ["packages/anyone/src/A.ts", "@planloom/core", "has no package"],
]

/** Imports that they must allow. */
const allowed: ReadonlyArray<readonly [file: string, imported: string]> = [
  ["packages/contract/plugin/src/A.ts", "@planloom/schema/defaults"],
  ["packages/engine/planning/src/A.ts", "effect/Schema"],
  ["packages/engine/core/src/run/A.ts", "../tool/Call.ts"],
  ["packages/engine/core/src/A.ts", "./run/run.ts"],
  ["packages/engine/language/src/load/A.ts", "../definition/check.ts"],
  ["packages/components/tools-files/src/A.ts", "@planloom/documents/read"],
  ["packages/hosts/cli/src/A.ts", "@planloom/stages"],
]

describe("the tables", () => {
  it.each(refused)("let %s not import %s", (file, name, says) => {
    expect(problemOf(layers, { file, name })).toContain(says)
  })

  it.each(allowed)("let %s import %s", (file, name) => {
    expect(problemOf(layers, { file, name })).toBeUndefined()
  })

  it("let core import types of language", () => {
    const [one] = importsOf(
      "packages/engine/core/src/A.ts",
      'export type {\n  Definition,\n} from "@planloom/language"\n',
    )
    expect(one).toMatchObject({ name: "@planloom/language", isType: true })
    expect(problemOf(layers, one!)).toBeUndefined()
  })
})

/** Words of the linter about an import, as `[file, imported, words of the message]`. */
const forbidden: ReadonlyArray<readonly [file: string, imported: string, says: string]> = [
  [
    "packages/engine/expression/src/B.ts",
    "@marcbachmann/cel-js",
    "evaluated by @planloom/expression",
  ],
  ["packages/components/stages/src/B.ts", "../../../engine/core/src/index.ts", "by its name"],
  ["packages/engine/core/src/pipeline/B.ts", "yaml", "Only language/src/source/"],
  ["packages/components/stages/src/C.ts", "effect", "the barrel costs"],
]

/** Imports that it must let pass. */
const permitted: ReadonlyArray<readonly [file: string, imported: string]> = [
  ["packages/engine/language/src/source/edit.ts", "yaml"],
  ["packages/engine/expression/src/Y.test.ts", "@marcbachmann/cel-js"],
  ["packages/components/stages/test/Z.test.ts", "effect"],
]

/** Rules about files rather than imports, as `[file, text, rule]`. */
const shapes: ReadonlyArray<readonly [file: string, text: string, rule: string]> = [
  ["packages/engine/core/src/snake_case.ts", "export const a = 1\n", "filename-case"],
  ["packages/engine/core/src/Deflt.ts", "export default 1\n", "no-default-export"],
  [
    "packages/engine/core/src/Long.ts",
    `export const list = [\n${"  1,\n".repeat(300)}]\n`,
    "max-lines",
  ],
  [
    "packages/engine/core/src/Deep.ts",
    `export const f = (a: boolean) => {\n${"if (a) {".repeat(5)}${"}".repeat(5)}\n}\n`,
    "max-depth",
  ],
  ["packages/engine/core/src/Loud.ts", "console.log(1)\n", "no-console"],
  ["packages/engine/core/src/CycleA.ts", 'export * from "./CycleB.ts"\n', "no-cycle"],
  ["packages/engine/core/src/CycleB.ts", 'export * from "./CycleA.ts"\n', "no-cycle"],
  [
    "packages/engine/salvage/src/TypeA.ts",
    'import type { TypeB } from "./TypeB.ts"\nexport type TypeA = TypeB | 1\n',
    "no-cycle",
  ],
  [
    "packages/engine/salvage/src/TypeB.ts",
    'import type { TypeA } from "./TypeA.ts"\nexport type TypeB = TypeA | 2\n',
    "no-cycle",
  ],
]

interface Finding {
  readonly code: string
  readonly help?: string
  readonly filename: string
}

let tree: string
let findings: ReadonlyArray<Finding>

const write = async (file: string, text: string) => {
  await mkdir(dirname(join(tree, file)), { recursive: true })
  await writeFile(join(tree, file), text)
}

const lint = () =>
  new Promise<ReadonlyArray<Finding>>((resolve, reject) => {
    const oxlint = join(root, "node_modules/oxlint/bin/oxlint")
    execFile(process.execPath, [oxlint, "-f", "json"], { cwd: tree }, (_, stdout, stderr) => {
      // It exits with 1 when it finds something, so only an unreadable answer is a failure.
      if (!stdout.startsWith("{")) return reject(new Error(stdout + stderr))
      resolve((JSON.parse(stdout) as { diagnostics: ReadonlyArray<Finding> }).diagnostics)
    })
  })

const inFile = (file: string) => findings.filter((finding) => finding.filename === file)

beforeAll(async () => {
  tree = await mkdtemp(join(tmpdir(), "layers-"))
  await cp(join(root, ".oxlintrc.json"), join(tree, ".oxlintrc.json"))
  for (const [file, imported] of [...forbidden, ...permitted])
    await write(file, `export * as imported from "${imported}"\n`)
  for (const [file, text] of shapes) await write(file, text)
  findings = await lint()
})

afterAll(() => rm(tree, { recursive: true, force: true }))

describe("the linter", () => {
  it.each(forbidden)("lets %s not import %s", (file, _, says) => {
    const [finding, ...more] = inFile(file).filter(({ code }) =>
      code.includes("no-restricted-imports"),
    )
    expect(finding?.help).toContain(says)
    expect(more).toEqual([])
  })

  it.each(permitted)("lets %s import %s", (file) => {
    expect(inFile(file)).toEqual([])
  })

  it.each(shapes)("says that %s breaks a rule about files", (file, _, rule) => {
    expect(inFile(file).map(({ code }) => code)).toContainEqual(expect.stringContaining(rule))
  })
})
