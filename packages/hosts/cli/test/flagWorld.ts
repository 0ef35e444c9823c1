/** The project in which examples of flags run, with recorded runs. */
import { cp, mkdir, readFile, rename, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { fixture, planloom, trusting } from "./planloom.ts"

const flow = `apiVersion: planloom/v1
kind: Workflow
name: flow
use: { plugins: [../plugin.ts], files: [../catalog.yaml] }
models: { weak: { try: [echo/broken], otherwise: mechanical } }
user: { type: object, properties: { id: { type: string } } }
flags: { loud: false }
inputs:
  message: { type: string, default: hello }
  other: { type: string, default: world }
  how: { type: string, default: well }
  unread: { type: string, default: "" }
stages:
  - id: said
    uses: give
    with: { value: "\${{ inputs.message }} \${{ inputs.other }} \${{ has(user.id) ? user.id : 'guest' }} \${{ string(flags.loud) }} \${{ string(size(session.turns)) }}" }
    examples: { file: ../examples.yaml, user: "\${{ inputs.message }}" }
  - { id: lock, uses: use, if: inputs.how == "lock", with: { tool: lock_door, params: { door: front } } }
  - { id: fails, uses: flaky, if: inputs.how == "fail", with: { fails: 9 } }
  - { id: thought, uses: think, if: inputs.how == "think" || inputs.how == "lock", model: weak, with: { about: tea } }
session:
  request: "\${{ inputs.message }}"
  assistant: "\${{ string(stages.said.output) }}"
outputs: { said: { value: "\${{ stages.said.output }}" } }
`

const header = (kind: string) => `apiVersion: planloom/v1\nkind: ${kind}\n`

const files: { readonly [path: string]: string } = {
  "workflows/flow.yaml": flow,
  "workflows/letters.yaml": `${header("Workflow")}name: letters
use: { plugins: [../plugin.ts] }
flags: { loud: false }
prompts: { base: ../base.md }
stages:
  - { id: said, uses: give, with: { value: "\${{ string(flags.loud) }}" } }
  - { id: thought, uses: think, model: echo/any, with: { about: tea }, prompt: base }
`,
  "base.md": "Of the file.\n",
  "first.md": "First.\n",
  "second.md": "Second.\n",
  "draft.md": "Third.\n",
  "stranger/workflow.yaml": `${header("Workflow")}name: stranger\nuse: { plugins: [./plugin.ts] }\nstages: [{ id: a, uses: give, with: { value: 1 } }]\n`,
  "stranger/planloom.yaml": header("Project"),
  "workflows/broken.yaml": `${header("Workflow")}name: broken\nuse: { plugins: [../throws.ts] }\nstages: []\n`,
  "throws.ts": 'throw new Error("broken")\n',
  "planloom.yaml": `${header("Project")}environments: { broken: { set: { stages.said.uses: gone } } }\n`,
  "examples.yaml": `${header("Examples")}examples: [{ inputs: { message: hello }, output: "hello world guest false 0" }]\n`,
  "catalog.yaml": `${header("Catalog")}name: house\ntools: [{ name: unlock_door, summary: Unlocks a lock of a door., capabilities: [lock], params: { type: object }, outputs: [done] }]\n`,
  "wrong.json": '{ "mesage": "bye" }',
  "bye.json": '{ "message": "bye" }',
  "other.json": '{ "other": "bye" }',
  "tests/flow.test.yaml": `${header("WorkflowTest")}workflow: ../workflows/flow.yaml
tests:
  - { name: first, expect: { assert: ["outputs.said == 'hello world guest false 0'"] } }
  - { name: second, given: { inputs: { message: bye } }, expect: { snapshot: second } }
`,
  "flow.eval.yaml": `${header("Evaluation")}workflow: ./workflows/flow.yaml
variants: { quiet: {}, loud: { flags: { loud: true } } }
cases:
  - { name: first, inputs: { message: hello } }
  - { name: second, inputs: { how: fail } }
expect: { assert: ["status == 'succeeded'"] }
`,
}

export interface FlagWorld {
  readonly folder: string
  /** Ids of recorded runs, by name. */
  readonly runs: ReadonlyMap<string, string>
}

export const flagWorld = async (folder: string): Promise<FlagWorld> => {
  const write = async (path: string, text: string) => {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text)
  }
  for (const [path, text] of Object.entries(files)) await write(path, text)
  for (const copy of ["plugin.ts", "stranger/plugin.ts"]) {
    await cp(join(fixture, "plugin.ts"), join(folder, copy))
  }
  await trusting(folder)
  const runs = new Map<string, string>()
  const command = (...args: ReadonlyArray<string>) => planloom(args, { cwd: folder })
  for (const from of ["first.md", "second.md"]) {
    await command("prompts", "edit", "letters", "base", "--from", from, "--by", "ann")
  }
  await command("models", "swap", "letters", "thought", "echo/new", "--by", "ann", "--why", "new")
  const recorded = async (name: string, ...args: ReadonlyArray<string>) => {
    await command("run", name === "changed" ? "changed" : "flow", ...args)
    const { stdout } = await command("runs", "list", "--json", "--limit", "1")
    runs.set(name, (JSON.parse(stdout) as ReadonlyArray<{ readonly run: string }>)[0]!.run)
  }
  await recorded("succeeded", "--session", "talk")
  await recorded("failed", "-i", "how=fail", "--session", "other")
  await recorded("waiting", "-i", "how=lock")
  await recorded("answered", "-i", "how=lock")
  await command("runs", "answer", runs.get("answered")!, "--yes", "--no-resume")
  await recorded("owned", "--user", '{"id":"ada"}')
  await recorded("theirs", "-i", "how=lock", "--user", '{"id":"ada"}')
  await command("run", "flow", "--session", "second")
  await write("workflows/changed.yaml", flow.replace("name: flow", "name: changed"))
  await recorded("changed", "-i", "how=lock")
  await write(
    "workflows/changed.yaml",
    flow.replace("name: flow", "name: changed").replace('value: "', 'value: "now '),
  )
  await command("run", "flow", "--record", "recorded")
  await command("runs", "export", runs.get("succeeded")!, "--out", "exported.json")
  const exported = await readFile(join(folder, "exported.json"), "utf8")
  await write("run.json", exported.replaceAll(runs.get("succeeded")!, crypto.randomUUID()))
  await rename(join(folder, "exported.json"), join(folder, "whole.json"))
  return { folder, runs }
}
