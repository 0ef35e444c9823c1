/** Shows that the layer rules of `.oxlintrc.json` bite, each on a small tree that breaks it. */
import { execFile } from "node:child_process"
import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"

const root = join(import.meta.dirname, "../../..")

/** What the linter must say about an import, as `[file, imported, words of the message]`. */
const forbidden: ReadonlyArray<readonly [file: string, imported: string, says: string]> = [
  ["packages/plugin/src/A.ts", "@planloom/core", "no other Planloom package"],
  ["packages/planning/src/A.ts", "@planloom/tables", "for its types"],
  ["packages/planning/src/B.ts", "effect/Effect", "planning is pure"],
  ["packages/planning/src/C.ts", "node:fs", "planning is pure"],
  ["packages/schema/src/A.ts", "@planloom/plugin", "no other Planloom package"],
  ["packages/salvage/src/A.ts", "@planloom/plugin", "salvage may import @planloom/schema"],
  ["packages/core/src/A.ts", "@planloom/planning", "core may import @planloom/plugin"],
  ["packages/expression/src/A.ts", "@planloom/core", "expression may import"],
  ["packages/expression/src/B.ts", "@marcbachmann/cel-js", "evaluated by @planloom/expression"],
  ["packages/core/src/B.ts", "@planloom/stages", "no stage kind"],
  ["packages/core/src/run/A.ts", "@planloom/stages", "no stage kind"],
  ["packages/stages/src/kinds/a_b.ts", "@planloom/core", "never imports core"],
  ["packages/stages/src/A.ts", "@planloom/retrieval", "never imports core"],
  ["packages/analyst/src/A.ts", "@planloom/stages", "never import core"],
  ["packages/analyst/src/B.ts", "@planloom/tools-data", "never import core"],
  ["packages/stages/src/E.ts", "@planloom/tables", "never imports core"],
  ["packages/stages/src/D.ts", "@planloom/analyst", "never imports core"],
  ["packages/stage-kit/src/A.ts", "@planloom/stages", "knows none of them"],
  ["packages/tables/src/A.ts", "@planloom/planning", "from the context it is handed"],
  ["packages/retrieval/src/A.ts", "@planloom/stages", "siblings never see each other"],
  ["packages/retrieval-faiss/src/A.ts", "@planloom/documents", "siblings never see each other"],
  ["packages/tools-data/src/tools/a_b.ts", "@planloom/core", "from the context it is handed"],
  ["packages/tools-http/src/A.ts", "@planloom/language", "siblings never see each other"],
  ["packages/mcp/src/A.ts", "@planloom/language", "siblings never see each other"],
  ["packages/pii/src/A.ts", "@planloom/plugin", "pii may import no other"],
  ["packages/mcp-server/src/A.ts", "@planloom/server", "the HTTP API that it is handed"],
  ["packages/hooks/src/A.ts", "@planloom/validators", "siblings never see each other"],
  ["packages/shadow/src/A.ts", "@planloom/validators", "siblings never see each other"],
  ["packages/subagents/src/A.ts", "@planloom/validators", "siblings never see each other"],
  ["packages/review-kit/src/A.ts", "@planloom/validators", "knows none of them"],
  ["packages/validators/src/A.ts", "@planloom/hooks", "siblings never see each other"],
  ["packages/tools-files/src/A.ts", "@planloom/retrieval", "siblings never see each other"],
  ["packages/documents/src/A.ts", "@planloom/tools-files", "siblings never see each other"],
  ["packages/testing/src/A.ts", "@planloom/stages", "siblings never see each other"],
  ["packages/provider-anyone/src/A.ts", "@planloom/core", "from the context it is handed"],
  [
    "packages/provider-anyone/src/B.ts",
    "@planloom/provider-effect",
    "siblings never see each other",
  ],
  ["packages/provider-kit/src/A.ts", "@planloom/core", "from the context it is handed"],
  ["packages/server/src/A.ts", "@planloom/cli", "Hosts never see each other"],
  ["packages/planloom/src/A.ts", "@planloom/core", "a name for the command"],
  ["packages/create-planloom/src/A.ts", "@planloom/language", "needs Node alone"],
  ["packages/create-planloom/src/B.ts", "effect/Effect", "needs Node alone"],
  ["packages/stages/src/B.ts", "../../core/src/index.ts", "by its name"],
  ["packages/language/src/A.ts", "@planloom/core", "runs nothing"],
  ["packages/language/src/load/A.ts", "@planloom/stages", "runs nothing"],
  ["packages/language/src/artefact/A.ts", "@planloom/core", "runs nothing"],
  ["packages/language/src/source/A.ts", "../definition/Definition.ts", "source/ comes before"],
  ["packages/language/src/source/B.ts", "../index.ts", "Nobody imports language's index.ts"],
  [
    "packages/language/src/definition/rules/a_b.ts",
    "../../load/Reading.ts",
    "definition/ comes before",
  ],
  ["packages/core/src/pipeline/A.ts", "../model/Call.ts", "pipeline/ comes before"],
  ["packages/core/src/hook/A.ts", "../run/run.ts", "hook/ comes before"],
  ["packages/agent/src/A.ts", "@planloom/core", "agent may import"],
  ["packages/dev/src/A.ts", "@planloom/cli", "dev may import"],
  ["packages/dev/src/B.ts", "@planloom/testing", "dev may import"],
  ["packages/agent/src/B.ts", "@planloom/prompt", "agent may import"],
  ["packages/prompt/src/A.ts", "@planloom/core", "prompt may import"],
  ["packages/reply/src/A.ts", "@planloom/core", "reply may import"],
  ["packages/reply/src/B.ts", "@planloom/prompt", "reply may import"],
  ["packages/prompt/src/B.ts", "@planloom/language", "prompt may import"],
  ["packages/estimate/src/A.ts", "@planloom/record", "starts nothing"],
  ["packages/core/src/run/D.ts", "@planloom/estimate", "core may import"],
  ["packages/core/src/model/A.ts", "../tool/Call.ts", "model/ comes before"],
  ["packages/core/src/tool/A.ts", "../run/run.ts", "tool/ comes before"],
  ["packages/core/src/run/B.ts", "../index.ts", "front page"],
  ["packages/core/src/pipeline/C.ts", "@planloom/language", "types of @planloom/language only"],
  ["packages/core/src/run/C.ts", "@planloom/record", "core may import"],
  ["packages/record/src/A.ts", "@planloom/language", "reads no files"],
  ["packages/embed/src/A.ts", "@planloom/stages", "embed may import"],
  ["packages/core/src/Workflow.ts", "./index.ts", "Nobody imports core's index.ts"],
  ["packages/core/src/pipeline/B.ts", "yaml", "Only language/src/source/"],
  [
    "packages/language/src/definition/Stage.ts",
    "@marcbachmann/cel-js",
    "evaluated by @planloom/expression",
  ],
  [
    "packages/language/src/source/Document.ts",
    "@marcbachmann/cel-js",
    "evaluated by @planloom/expression",
  ],
  ["packages/expression/src/C.ts", "yaml", "Only language/src/source/"],
  ["packages/stages/src/C.ts", "effect", "the barrel costs"],
]

/** What it must let pass. */
const allowed: ReadonlyArray<readonly [file: string, imported: string]> = [
  ["packages/planning/src/Y.ts", "effect/Schema"],
  ["packages/planning/src/Z.ts", "@planloom/schema/ajv"],
  ["packages/salvage/src/Z.ts", "@planloom/schema/ajv"],
  ["packages/mcp-server/src/Z.ts", "@planloom/schema"],
  ["packages/core/src/pipeline/Z.ts", "@planloom/schema/ajv"],
  ["packages/stages/src/kinds/z_z.ts", "@planloom/schema"],
  ["packages/planning/src/X.ts", "@planloom/plugin"],
  ["packages/plugin/src/X.ts", "@planloom/schema/annotations"],
  ["packages/plugin/src/X.ts", "@planloom/schema/defaults"],
  ["packages/core/src/Y.ts", "@planloom/plugin"],
  ["packages/core/src/Z.ts", "./run/run.ts"],
  ["packages/language/src/source/edit.ts", "yaml"],
  ["packages/expression/src/Y.ts", "@planloom/plugin"],
  ["packages/expression/src/Y.test.ts", "@marcbachmann/cel-js"],
  ["packages/core/src/pipeline/Y.ts", "@planloom/expression"],
  ["packages/core/src/run/Y.ts", "@planloom/prompt"],
  ["packages/core/src/run/X.ts", "@planloom/agent"],
  ["packages/agent/src/Y.ts", "@planloom/schema/ajv"],
  ["packages/prompt/src/Y.ts", "@planloom/expression"],
  ["packages/core/src/model/Y.ts", "@planloom/reply"],
  ["packages/reply/src/Y.ts", "@planloom/salvage"],
  ["packages/language/src/definition/Y.ts", "@planloom/expression/check"],
  ["packages/language/src/definition/rules/y_z.ts", "../../source/Document.ts"],
  ["packages/core/src/run/Z.ts", "../tool/Call.ts"],
  ["packages/language/src/load/Z.ts", "../definition/check.ts"],
  ["packages/record/src/Y.ts", "@planloom/core/internal"],
  ["packages/estimate/src/Y.ts", "@planloom/core/internal"],
  ["packages/embed/src/X.ts", "@planloom/record"],
  ["packages/embed/src/Y.ts", "@planloom/language"],
  ["packages/embed/src/Z.ts", "@planloom/core"],
  ["packages/server/src/Z.ts", "@planloom/core/internal"],
  ["packages/cli/src/Y.ts", "@planloom/server"],
  ["packages/stages/src/kinds/y_z.ts", "@planloom/planning"],
  ["packages/analyst/src/kinds/y_z.ts", "@planloom/stage-kit"],
  ["packages/tools-data/src/tools/y_z.ts", "@planloom/tables"],
  ["packages/analyst/src/Y.ts", "@planloom/tables"],
  ["packages/provider-anyone/src/Y.ts", "@planloom/provider-kit"],
  ["packages/provider-kit/src/Y.ts", "@planloom/schema"],
  ["packages/hooks/src/hooks/y_z.ts", "@planloom/plugin"],
  ["packages/hooks/src/Y.ts", "@planloom/pii"],
  ["packages/shadow/src/Y.ts", "@planloom/plugin"],
  ["packages/shadow/src/Y.ts", "@planloom/pii"],
  ["packages/validators/src/Y.ts", "@planloom/pii"],
  ["packages/validators/src/Z.ts", "@planloom/review-kit"],
  ["packages/subagents/src/Z.ts", "@planloom/review-kit"],
  ["packages/testing/src/Y.ts", "@planloom/embed"],
  ["packages/testing/src/Z.ts", "@planloom/core"],
  ["packages/cli/src/Z.ts", "@planloom/stages"],
  ["packages/cli/src/X.ts", "create-planloom"],
  ["packages/planloom/src/X.ts", "@planloom/cli/command"],
  ["packages/stages/test/Z.test.ts", "effect"],
]

/** Text that it must let pass. */
const permitted: ReadonlyArray<readonly [file: string, text: string]> = [
  ["packages/core/src/pipeline/X.ts", 'export type { Definition } from "@planloom/language"\n'],
]

/** Rules about files rather than imports, as `[file, text, rule]`. */
const shapes: ReadonlyArray<readonly [file: string, text: string, rule: string]> = [
  ["packages/core/src/snake_case.ts", "export const a = 1\n", "filename-case"],
  ["packages/core/src/Deflt.ts", "export default 1\n", "no-default-export"],
  ["packages/core/src/Long.ts", `export const list = [\n${"  1,\n".repeat(300)}]\n`, "max-lines"],
  [
    "packages/core/src/Deep.ts",
    `export const f = (a: boolean) => {\n${"if (a) {".repeat(5)}${"}".repeat(5)}\n}\n`,
    "max-depth",
  ],
  ["packages/core/src/Loud.ts", "console.log(1)\n", "no-console"],
  ["packages/core/src/CycleA.ts", 'export * from "./CycleB.ts"\n', "no-cycle"],
  ["packages/core/src/CycleB.ts", 'export * from "./CycleA.ts"\n', "no-cycle"],
  [
    "packages/salvage/src/TypeA.ts",
    'import type { TypeB } from "./TypeB.ts"\nexport type TypeA = TypeB | 1\n',
    "no-cycle",
  ],
  [
    "packages/salvage/src/TypeB.ts",
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
  for (const [file, imported] of [...forbidden, ...allowed])
    await write(file, `export * as imported from "${imported}"\n`)
  for (const [file, text] of [...permitted, ...shapes]) await write(file, text)
  findings = await lint()
})

afterAll(() => rm(tree, { recursive: true, force: true }))

describe("the layer rules", () => {
  it.each(forbidden)("%s may not import %s", (file, _, says) => {
    const [finding, ...more] = inFile(file).filter(({ code }) =>
      code.includes("no-restricted-imports"),
    )
    expect(finding?.help).toContain(says)
    expect(more).toEqual([])
  })

  it.each(allowed)("%s may import %s", (file) => {
    expect(inFile(file)).toEqual([])
  })

  it.each(permitted)("%s may import types", (file) => {
    expect(inFile(file)).toEqual([])
  })

  it.each(shapes)("%s breaks a rule about files", (file, _, rule) => {
    expect(inFile(file).map(({ code }) => code)).toContainEqual(expect.stringContaining(rule))
  })
})
