/** The tutorials do what they say: their files are written, their commands are run, and what they print is what the page shows. */
import { readFileSync, writeFileSync } from "node:fs"
import { mkdir, mkdtemp, rm } from "node:fs/promises"
import { dirname, join } from "node:path"
import { wireServer, type WireServer } from "@planloom/testing"
import { afterAll, beforeAll, expect, it } from "vitest"
import { codeBlocks } from "../../../../.ci/docs/codeBlocks.ts"
import { answeredInTerminal, fixture, noTerminal, planloom, start, trusting } from "./planloom.ts"

const page = readFileSync(
  join(import.meta.dirname, "../../../../docs/tutorials/first_workflow.md"),
  "utf8",
)
const MESSAGE = "The lamp arrived broken. I want my money back."

const blocks = codeBlocks(page)
const ofLanguage = (language: string): ReadonlyArray<string> =>
  blocks.flatMap((block) => (block.language === language ? [block.text] : []))

/** What the page shows below a command. */
const printedBy = (command: string): string => {
  const block = ofLanguage("console").find((text) => text.startsWith(`$ ${command}`))
  if (block === undefined) throw new Error(`the page does not show ${command}`)
  return block.slice(block.indexOf("\n") + 1)
}

const timeless = (text: string): string =>
  text.replaceAll(/\b\d+(?:\.\d+)? m?s\b/g, "some time").trimEnd()

let server: WireServer
let folder: string
beforeAll(async () => {
  await mkdir(join(fixture, ".planloom"), { recursive: true })
  folder = await mkdtemp(join(fixture, ".planloom", "tutorial-"))
  server = await wireServer()
  const sorry = "We are sorry that the lamp arrived broken. Your money is on its way back."
  const answers = [
    { when: "sort messages", text: '{"label":"refund"}', usage: { input: 48, output: 8 } },
    { when: "brief and friendly", text: sorry, usage: { input: 55, output: 19 } },
    { when: "Sign as Ada", text: `${sorry}\n\nAda`, usage: { input: 61, output: 22 } },
  ]
  server.answer(...answers)
  await trusting(folder)
  const [rules, voice] = ofLanguage("markdown")
  const [workflow] = ofLanguage("yaml")
  const files = {
    "planloom.yaml": `apiVersion: planloom/v1
kind: Project
plugins:
  "@planloom/provider-openai": { servers: { ollama: { base_url: "${server.url}/v1" } } }
`,
    "prompts/rules.md": rules!,
    "prompts/voice.md": voice!,
    "workflows/triage.yaml": workflow!,
  }
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
})
afterAll(async () => {
  await server.close()
  await rm(folder, { recursive: true, force: true })
})

it("the first workflow has no problems", async () => {
  const { stderr, stdout } = await planloom(["check", "workflows/triage.yaml"], { cwd: folder })
  expect((stdout + stderr).trimEnd()).toBe(
    printedBy("planloom check workflows/triage.yaml").trimEnd(),
  )
})

it("the edit loop shows the first run, and after an edit what it changes", async () => {
  const command = `planloom dev triage --input message="${MESSAGE}"`
  const first = printedBy(command)
  const second = ofLanguage("console").find((text) => text.startsWith("triage  prompts/voice.md"))!
  const shown = await start(["dev", "triage", "--input", `message=${MESSAGE}`], { cwd: folder })
  await shown.saw(/on its way back\.\n\n/)
  expect(timeless(shown.stdout())).toBe(timeless(first))
  const before = shown.stdout().length
  writeFileSync(join(folder, "prompts/voice.md"), ofLanguage("markdown")[2]!)
  await shown.saw(/\nAda\n\n/)
  expect(timeless(shown.stdout().slice(before))).toBe(timeless(second))
  shown.kill("SIGINT")
  await shown.ended
})

it.skipIf(noTerminal)("a run is accepted as the test of the page, which passes", async () => {
  server.answer(
    { when: "sort messages", text: '{"label":"refund"}' },
    { text: "We are sorry that the lamp arrived broken. Your money is on its way back.\n\nAda" },
  )
  const args = ["dev", "triage", "--input", `message=${MESSAGE}`]
  await answeredInTerminal(args, { answer: "aq", at: /q\S* \S*quit/, cwd: folder })
  const file = "workflows/triage.test.yaml"
  expect(readFileSync(join(folder, file), "utf8")).toBe(ofLanguage("yaml")[1])
  const { stdout } = await planloom(["test", file], { cwd: folder })
  expect(timeless(stdout)).toBe(timeless(printedBy(`planloom test ${file}`)))
})
