/** `planloom prompt`: the request of a stage, as its provider gets it in a run. */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { fixture, planloom, trusting } from "./planloom.ts"

const workflow = `apiVersion: planloom/v1
kind: Workflow
name: letters
use: { plugins: ["@planloom/stages", "@planloom/hooks", ./plugin.ts] }
defaults: { model: mirror/any }
inputs: { to: { type: string }, mode: { type: string, default: long } }
prompts: { base: base.md, brief: brief.md, close: close.md }
modes: { long: { sections: [base, brief, close] }, short: { sections: [base] } }
stages:
  - { id: found, uses: draft, with: {} }
  - id: write
    uses: generate
    prompt: { use: base, mode: "\${{ inputs.mode }}" }
    with: { task: "Write \${{ stages.found.output.text }} to \${{ inputs.to }}." }
    hooks:
      - { use: shout, with: {} }
      - { use: closing, with: {} }
      - { use: politely, with: {} }
  - id: each
    for_each: { in: stages.found.output.names, as: name }
    stages: [{ id: greet, uses: generate, with: { task: "Greet \${{ name }}." } }]
  - { id: work, uses: agent, with: { task: Work., tools: [remove] } }
  - { id: eager, uses: removes, with: {} }
outputs: { sent: { value: "\${{ stages.write.output.text }}" } }
`

const plugin = `import { writeFileSync } from "node:fs"
import * as Effect from "effect/Effect"
import { definePlugin, hook, stageKind } from "@planloom/plugin/effect"
const called = (name) => writeFileSync(new URL(name, import.meta.url), "")
const input = { type: "object" }
const shout = hook({ id: "shout", summary: "Shouts.", point: "section_build", kind: "transform", input,
  run: ({ id, text }) => (id === "brief" ? { text: text.toUpperCase() } : undefined) })
const closing = hook({ id: "closing", summary: "Adds a section.", point: "post_assembly", kind: "transform", input,
  run: ({ sections }) => ({ sections: [...sections, { id: "bye", text: "Say bye.", source: "hook:closing", stable: true, tokens: 0 }] }) })
const politely = hook({ id: "politely", summary: "Adds a word.", point: "before_model", kind: "transform", input,
  run: ({ messages }) => ({ messages: messages.map((one) => ({ ...one, content: one.content + " Please." })) }) })
const draft = stageKind({ id: "draft", summary: "Drafts.", input, 
  output: { type: "object", properties: { text: { type: "string" }, names: { type: "array", items: { type: "string" } } }, required: ["text", "names"] },
  run: () => Effect.sync(() => { called("drafted"); return { text: "a poem", names: ["Ann"] } }) })
const removes = stageKind({ id: "removes", summary: "Removes, then asks.", input, output: true,
  model: (_, { callTool, model }) => Effect.flatMap(callTool({ tool: "remove", params: {}, key: "first" }), () => model.text({ messages: [{ role: "user", content: "?" }] })) })
export default definePlugin({ id: "letters", summary: "Letters.", components: {
  hooks: [shout, closing, politely],
  stages: [draft, removes],
  tools: [{ id: "files", summary: "Files.", list: Effect.succeed({ tools: [{ name: "remove", summary: "Removes a file.", params: { type: "object" } }] }),
    call: () => Effect.sync(() => { called("removed"); return { value: {} } }) }],
  providers: [{ id: "mirror", summary: "Replies with the request.",
    generate: (request) => Effect.sync(() => { called("asked"); return { text: JSON.stringify(request), reasoning: "", usage: { input: 1, output: 1 }, finish: "stop", toolCalls: [] } }) }],
} })
`

let cwd: string
const prompt = async (stage: string, ...args: ReadonlyArray<string>) =>
  await planloom(["prompt", "letters", "--stage", stage, "--input", "to=Bo", ...args], { cwd })
const asJson = async (stage: string, ...args: ReadonlyArray<string>) => {
  const { code, stderr, stdout } = await prompt(stage, "--json", ...args)
  expect([code, stderr]).toEqual([0, ""])
  return JSON.parse(stdout)
}

beforeAll(async () => {
  await mkdir(join(fixture, ".planloom"), { recursive: true })
  cwd = await mkdtemp(join(fixture, ".planloom", "prompt-"))
  await mkdir(join(cwd, "workflows"))
  await trusting(cwd)
  const files = {
    "planloom.yaml": "apiVersion: planloom/v1\nkind: Project\n",
    "workflows/letters.yaml": workflow,
    "workflows/plugin.ts": plugin,
    "workflows/base.md": "You write letters.\n",
    "workflows/brief.md": "Be brief.\n",
    "workflows/close.md": "Sign for ${{ inputs.to }}.\n",
  }
  for (const [path, text] of Object.entries(files)) await writeFile(join(cwd, path), text)
})

afterAll(() => rm(cwd, { recursive: true, force: true }))

const was = (name: string) => existsSync(join(cwd, "workflows", name))

describe("planloom prompt", () => {
  it("shows the request without asking a model, running a stage or creating a store", async () => {
    const { code, stdout } = await prompt("write")
    expect(code).toBe(0)
    expect(stdout).toContain("generate asks mirror/any, prompt mode long")
    expect(stdout).toMatch(/base {2}workflows\/base\.md, about \d+ tokens, stable\n {4}You write/)
    expect(stdout).toMatch(/close {2}workflows\/close\.md, about \d+ tokens, not stable/)
    expect(stdout).toContain("no value before a run, shown as ‹…›: stages.found.output.text")
    expect(stdout).toContain("Write ‹stages.found.output.text› to Bo. Please.")
    expect(stdout).toMatch(/Sum {2}about \d+ tokens: \d+ system, 0 tools, \d+ messages/)
    expect([was("asked"), was("drafted"), existsSync(join(cwd, ".planloom"))]).toEqual([
      false,
      false,
      false,
    ])
  })

  it("shows what each hook changed with --diff", async () => {
    const { stdout } = await prompt("write", "--diff")
    const hooks = stdout.slice(stdout.indexOf("\nHooks\n"))
    expect(hooks).toContain(
      "  shout  at section_build\n    section brief\n      - Be brief.\n      + BE BRIEF.",
    )
    expect(hooks).toContain("  closing  at post_assembly\n")
    expect(hooks).toContain("    section bye\n      + Say bye.\n")
    expect(hooks).toMatch(/politely {2}at before_model\n {4}messages\n.*\n {6}\+ .*Please\./)
    const { hooks: changes } = await asJson("write", "--diff")
    expect(changes[0]).toMatchObject({
      hook: "shout",
      point: "section_build",
      of: "brief",
      patch: [{ op: "replace", path: "/text", value: "BE BRIEF." }],
    })
  })

  it("takes results of other stages from --output", async () => {
    const { messages, without_value: open } = await asJson(
      "write",
      "--output",
      'found={"text":"a song","names":[]}',
    )
    expect(messages).toMatchObject([{ role: "user", text: "Write a song to Bo. Please." }])
    expect(open).toEqual([])
  })

  it("shows a stage of a list for the first item, or for a placeholder", async () => {
    const given = 'found={"text":"","names":["Eve","Ann"]}'
    const [known, open] = [await asJson("each/greet", "--output", given), await asJson("greet")]
    expect(known.messages[0].text).toContain("Greet Eve.")
    expect(open.messages[0].text).toContain("Greet ‹name›.")
  })

  it("shows the tools that an agent declares", async () => {
    const { tools } = await asJson("work")
    expect(tools).toContainEqual(
      expect.objectContaining({ name: "remove", description: "Removes a file." }),
    )
  })

  it("shows another mode with --mode, and warns of an unknown one", async () => {
    const { mode, sections } = await asJson("write", "--mode", "short")
    expect([mode, sections.map(({ id }: { id: string }) => id)]).toEqual(["short", ["base", "bye"]])
    const { code, stderr } = await prompt("write", "--mode", "shorter")
    expect(code).toBe(0)
    expect(stderr).toContain('there is no prompt mode "shorter"; "full" is used')
  })

  it("calls no tool that changes something", async () => {
    const { code, stderr } = await prompt("eager")
    expect(code).toBe(1)
    expect(stderr).toContain('"remove" can change something')
    expect(was("removed")).toBe(false)
  })

  it.each([
    [["wrote"], /letters has no stage "wrote"\n.*did you mean "write"/],
    [["found"], /"found" uses draft, which asks no model\n.*write/],
    [["each"], /"each" contains stages/],
    [["work", "--mode", "short"], /"work" has no prompt/],
    [["write", "--output", "fond=1"], /no stage "fond".*\n.*"found"/],
    [["write", "--output", "found={"], /--output found is no JSON/],
  ])("refuses %j", async ([stage, ...args], said) => {
    const { code, stderr } = await prompt(stage!, ...args)
    expect(code).toBe(2)
    expect(stderr).toMatch(said)
  })

  it("names an input that is missing", async () => {
    const { code, stderr } = await planloom(["prompt", "letters", "--stage", "write"], { cwd })
    expect([code, stderr]).toEqual([2, expect.stringContaining("to")])
  })

  it("shows the request that a run sends, with the active version of a prompt", async () => {
    await writeFile(join(cwd, "draft.md"), "You write poems.\n")
    const edit = ["prompts", "edit", "letters", "base", "--from", "draft.md"]
    expect((await planloom(edit, { cwd })).code).toBe(0)
    const shown = await asJson("write", "--output", 'found={"text":"a poem","names":[]}')
    expect(shown.versions).toEqual({ base: "1" })
    expect(shown.request.system[0].text).toContain("You write poems.")
    const ran = await planloom(["run", "letters", "--input", "to=Bo", "--yes", "--json"], { cwd })
    const sent = ran.stdout
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line))
      .find(({ path, type }) => type === "StageFinished" && path === "write")
    expect(shown.request).toEqual(JSON.parse(sent.output.text))
  })
})
