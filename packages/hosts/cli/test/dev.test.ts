/** `planloom dev`: a workflow that is edited while the command runs, accepted as a test, and run once. */
import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { mkdir, mkdtemp, rm } from "node:fs/promises"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { answeredInTerminal, fixture, noTerminal, planloom, start, trusting } from "./planloom.ts"

const plugin = `import { appendFileSync } from "node:fs"
import { definePlugin, provider, toolSource } from "@planloom/plugin"
import { worded } from "./words.mjs"

const called = (what) => appendFileSync("calls.txt", what + "\\n")

export default definePlugin({
  id: "near",
  summary: "A model and a tool that write down their calls.",
  components: {
    providers: [
      provider({
        id: "near",
        summary: "Answers.",
        generate: async ({ messages, system }, { signal } = {}) => {
          const text = [...system.map((one) => one.text), messages.at(-1).content].join(" ")
          called("model " + text)
          if (text.includes("forever")) await new Promise(() => {})
          return { text: worded(text), reasoning: "", toolCalls: [], finish: "stop", usage: { input: 3, output: 4 } }
        },
      }),
    ],
    tools: [
      toolSource({
        id: "books",
        summary: "Books.",
        list: async () => ({
          tools: [{ name: "book", summary: "Books a table.", capabilities: [], inputs: {}, params: { type: "object" }, outputs: ["text"] }],
        }),
        call: async () => {
          called("book")
          return { value: { booked: true } }
        },
      }),
    ],
  },
})
`

const flow = `apiVersion: planloom/v1
kind: Workflow
name: triage
use: { plugins: ["@planloom/stages", ../plugin.mjs] }
defaults: { model: near/a }
inputs: { message: { type: string } }
prompts: { rules: ../rules.md, voice: ../voice.md }
stages:
  - { id: label, uses: generate, prompt: rules, with: { task: "\${{ inputs.message }}" } }
  - { id: reply, uses: generate, prompt: voice, with: { task: "\${{ inputs.message }}" } }
outputs:
  label: { type: string, value: "\${{ stages.label.output.text }}" }
  reply: { type: string, value: "\${{ stages.reply.output.text }}" }
`

const booking = `apiVersion: planloom/v1
kind: Workflow
name: booking
use: { plugins: ["@planloom/stages", ../plugin.mjs] }
stages: [{ id: one, uses: call, with: { tool: book, params: {} } }]
outputs: { one: { value: "\${{ stages.one.output }}" } }
`

let root: string
beforeAll(async () => {
  await mkdir(join(fixture, ".planloom"), { recursive: true })
  root = await mkdtemp(join(fixture, ".planloom", "dev-"))
})
afterAll(() => rm(root, { recursive: true, force: true }))

/** A project of its own. */
const project = async (): Promise<string> => {
  const folder = await mkdtemp(join(root, "project-"))
  await mkdir(join(folder, "workflows"))
  const files = {
    "planloom.yaml": "apiVersion: planloom/v1\nkind: Project\n",
    "plugin.mjs": plugin,
    "words.mjs": "export const worded = (text) => text.toUpperCase()\n",
    "rules.md": "Give a label.",
    "voice.md": "Be brief.",
    "workflows/triage.yaml": flow,
    "workflows/booking.yaml": booking,
  }
  for (const [path, text] of Object.entries(files)) writeFileSync(join(folder, path), text)
  await trusting(folder)
  return folder
}

const callsIn = (folder: string): ReadonlyArray<string> => {
  try {
    return readFileSync(join(folder, "calls.txt"), "utf8").trimEnd().split("\n")
  } catch {
    return []
  }
}

const args = ["dev", "triage", "-i", "message=hello"]

describe("an edit", () => {
  it("makes only the calls that it changes: of a prompt, of code, after errors, and when it is undone", async () => {
    const folder = await project()
    const shown = await start([...args, "--json"], { cwd: folder })
    const edited = async (number: number): Promise<ReadonlyArray<string>> => {
      await shown.saw(new RegExp(`"edit":${number}[^\n]*\n`))
      const calls = callsIn(folder)
      rmSync(join(folder, "calls.txt"), { force: true })
      return calls.length === 1 && calls[0] === "" ? [] : calls.toSorted()
    }
    expect(await edited(1)).toEqual(["model Be brief. hello", "model Give a label. hello"])

    // As editors save: the file is replaced by another one.
    writeFileSync(join(folder, "rules.new"), "Give one label.")
    rmSync(join(folder, "rules.md"))
    renameSync(join(folder, "rules.new"), join(folder, "rules.md"))
    expect(await edited(2)).toEqual(["model Give one label. hello"])

    writeFileSync(join(folder, "words.mjs"), "export const worded = (text) => text.length + text\n")
    expect(await edited(3)).toEqual(["model Be brief. hello", "model Give one label. hello"])

    const path = join(folder, "workflows/triage.yaml")
    writeFileSync(path, flow.replace("prompt: voice", "prompt: vice"))
    await shown.saw(/"problems":\[\{"code":"PL\d+"/)
    writeFileSync(path, flow)
    expect(await edited(4)).toEqual([])

    writeFileSync(join(folder, "rules.md"), "Take forever.")
    await expect
      .poll(() => callsIn(folder), { timeout: 20_000 })
      .toEqual(["model Take forever. hello"])
    rmSync(join(folder, "calls.txt"))
    writeFileSync(join(folder, "rules.md"), "Give one label.")
    expect(await edited(5)).toEqual([])

    shown.kill("SIGINT")
    expect(await shown.ended).toBe(130)
  })
})

describe("a run once", () => {
  it("prints stages, totals and outputs, and ends with the exit code of the run", async () => {
    const folder = await project()
    const { code, stderr, stdout } = await planloom([...args, "--once"], { cwd: folder })
    expect(code, stderr).toBe(0)
    expect(stdout.replaceAll(/\d+(\.\d+)? m?s/g, "1 ms")).toBe(`triage  first run

  ● label  ran       1 call · 7 tokens · 1 ms
  ● reply  ran       1 call · 7 tokens · 1 ms

2 calls made · 0 replayed · 14 tokens · 1 ms

GIVE A LABEL. HELLO

reply
BE BRIEF. HELLO

`)
  })

  it("with errors in its files prints them and ends with code 1", async () => {
    const folder = await project()
    writeFileSync(join(folder, "workflows/triage.yaml"), flow.replace("generate", "generat"))
    const { code, stderr } = await planloom([...args, "--once"], { cwd: folder })
    expect(stderr).toContain('did you mean "generate"')
    expect(code).toBe(1)
  })

  it("without an input that is required ends with code 2, also if it would wait for edits", async () => {
    const folder = await project()
    const { code, stderr } = await planloom(["dev", "triage"], { cwd: folder })
    expect(stderr).toContain("message")
    expect(code).toBe(2)
  })

  it("calls a tool that changes something only with --allow-writes, without a terminal", async () => {
    const folder = await project()
    const refused = await planloom(["dev", "booking", "--once"], { cwd: folder })
    expect(refused.stdout).toContain('"book" changes something')
    expect(refused.code).toBe(3)
    expect(callsIn(folder)).toEqual([])
    const allowed = await planloom(["dev", "booking", "--once", "--allow-writes"], { cwd: folder })
    expect(allowed.code, allowed.stderr + allowed.stdout).toBe(0)
    expect(callsIn(folder)).toEqual(["book"])
  })
})

describe.skipIf(noTerminal)("at a terminal", () => {
  it("`a` writes a test that passes, `d` shows the difference, `q` quits", async () => {
    const folder = await project()
    const shown = await answeredInTerminal(args, { answer: "daq", at: /q\S* \S*quit/, cwd: folder })
    expect(shown).toContain("short")
    expect(shown).toMatch(/is in\s+workflows\/triage.test.yaml and passes \(2 expectations\)/)
    const file = join(folder, "workflows/triage.test.yaml")
    expect(readFileSync(file, "utf8")).toBe(`apiVersion: planloom/v1
kind: WorkflowTest
workflow: triage.yaml
tests:
  - name: gives the accepted outputs for message hello
    given:
      inputs:
        message: hello
      models:
        label:
          - text: GIVE A LABEL. HELLO
        reply:
          - text: BE BRIEF. HELLO
    expect:
      assert:
        - outputs.label == "GIVE A LABEL. HELLO"
        - outputs.reply == "BE BRIEF. HELLO"
`)
    const tested = await planloom(["test", "workflows/triage.test.yaml"], { cwd: folder })
    expect(tested.code, tested.stdout + tested.stderr).toBe(0)
  })

  it("Ctrl-C interrupts a run, with keys and without", async () => {
    const folder = await project()
    writeFileSync(join(folder, "rules.md"), "Take forever.")
    for (const more of [[], ["--once"]]) {
      const shown = await answeredInTerminal([...args, ...more], {
        answer: "\u0003",
        at: /label/,
        cwd: folder,
      })
      expect(shown).not.toContain("made")
    }
  })

  it("a tool that changes something is asked for", async () => {
    const folder = await project()
    const shown = await answeredInTerminal(["dev", "booking", "--once"], {
      answer: "y\r",
      at: /run it\? \[y\/N\]/,
      cwd: folder,
    })
    expect(shown).toContain("one calls book, which changes something")
    expect(callsIn(folder)).toEqual(["book"])
  })
})
