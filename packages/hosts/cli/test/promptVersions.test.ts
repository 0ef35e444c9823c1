/** `planloom prompts`: versions of prompts, from the first edit to the file again. */
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises"
import { existsSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, it } from "vitest"
import { answeredInTerminal, noTerminal, planloom } from "./planloom.ts"

const workflow = `apiVersion: planloom/v1
kind: Workflow
name: letters
use: { plugins: ["@planloom/stages", "@planloom/provider-openai"] }
secrets: [DEPLOY_TOKEN]
inputs: { to: { type: string, default: Bo }, write: { type: boolean, default: false } }
prompts: { base: prompts/base.md, letter: prompts/letter.md }
modes: { short: { sections: [base, task], max_tokens: 40 } }
stages:
  - { id: sign_off, uses: approve, with: { message: "Write?" } }
  - id: write
    uses: agent
    if: "\${{ inputs.write }}"
    model: openai/gpt-5-mini
    with: { task: Write it., tools: [] }
    prompt: { use: letter, mode: short }
outputs: { approved: "\${{ stages.sign_off.output.approved }}" }
`

const ofFile = "You write to ${{ inputs.to }}.\nBe short.\n"
const first = "You write to ${{ inputs.to }}.\r\nBe kind.\n\n"

let cwd: string
const prompts = async (...args: ReadonlyArray<string>) =>
  await planloom(["prompts", ...args], { cwd, env: { DEPLOY_TOKEN: "a-secret-of-ours" } })
const edited = async (text: string, ...more: ReadonlyArray<string>) => {
  await writeFile(join(cwd, "draft.md"), text)
  return await prompts("edit", "letters", "base", "--from", "draft.md", ...more)
}
const active = async () => (await prompts("show", "letters", "base")).stdout

beforeAll(async () => {
  cwd = await realpath(await mkdtemp(join(tmpdir(), "planloom-versions-")))
  await mkdir(join(cwd, "workflows/prompts"), { recursive: true })
  await writeFile(join(cwd, "workflows/letters.yaml"), workflow)
  await writeFile(join(cwd, "workflows/prompts/base.md"), ofFile)
  await writeFile(join(cwd, "workflows/prompts/letter.md"), "Write a letter.\n")
})

afterAll(() => rm(cwd, { recursive: true, force: true }))

it("an empty text is refused", async () => {
  const refused = await edited(" \n")
  expect(refused.code).toBe(1)
  expect(refused.stderr).toContain("the text is empty")
  expect(existsSync(join(cwd, ".planloom"))).toBe(true)
  await rm(join(cwd, ".planloom"), { recursive: true })
})

it("prompts are read without creating a store", async () => {
  const { code, stdout } = await prompts("list", "letters", "--json")
  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toEqual([
    { prompt: "base", active: "file", file: "workflows/prompts/base.md" },
    { prompt: "letter", active: "file", file: "workflows/prompts/letter.md" },
  ])
  expect(await active()).toBe(ofFile)
  expect((await prompts("history", "letters", "base")).stderr).toContain("no versions")
  expect(existsSync(join(cwd, ".planloom"))).toBe(false)
})

it.each([
  [
    "a name that nothing declares",
    "Hi ${{ inputs.whom }}.",
    /base\.md:1:\d+ .*inputs\.whom|inputs\.whom/,
  ],
  ["an expression that does not end", "line\nHi ${{ inputs.to", /base\.md:2:4/],
  [
    "more text than a mode allows",
    "word ".repeat(60),
    /base\.md:1:1 the text has about \d+ tokens, and the mode "short" allows 40/,
  ],
  [
    "the value of a secret",
    "Use a-secret-of-ours.",
    /base\.md:1:1 the text contains the value of a secret/,
  ],
])("a text with %s is refused at its place", async (_, text, said) => {
  const { code, stderr } = await edited(text)
  expect(code).toBe(1)
  expect(stderr).toMatch(said)
  expect(stderr).toContain("base.md:")
  expect(await active()).toBe(ofFile)
})

it("an edit is active for the next run, which records its version", async () => {
  const { code, stderr } = await edited(first, "--by", "ann", "--why", "kinder")
  expect([code, stderr]).toEqual([0, "version 1 of base is active\n"])
  expect(await active()).toBe(first)
  const ran = await planloom(["run", "letters", "--yes", "--json"], { cwd })
  expect(ran.code).toBe(0)
  const [pinned] = ran.stdout.split("\n").filter((line) => line.includes("PromptsPinned"))
  expect(JSON.parse(pinned!)).toMatchObject({ workflow: "letters", versions: { base: "1" } })
  const { run } = JSON.parse(ran.stdout.split("\n")[0]!)
  const shown = await planloom(["runs", "show", run], { cwd })
  expect(shown.stdout).toMatch(/prompts +base version 1\n/)
})

it("a file that has changed since the active version was made is marked", async () => {
  expect((await prompts("list", "letters")).stdout).not.toContain("changed since")
  await writeFile(join(cwd, "workflows/prompts/base.md"), `${ofFile}Be exact.\n`)
  expect((await prompts("list", "letters")).stdout).toMatch(
    /base +version 1 of 1 .*ann +workflows\/prompts\/base\.md \(changed since version 1\)/,
  )
  await writeFile(join(cwd, "workflows/prompts/base.md"), ofFile)
})

it("an older version is used again byte for byte, and then the file", async () => {
  await edited("You write to ${{ inputs.to }}.\r\nBe brief.\n\n", "--why", "shorter")
  const { stdout } = await prompts("diff", "letters", "base", "--from", "1")
  expect(stdout.split("\n").filter((line) => /^[-+] /.test(line))).toEqual([
    "- version 1",
    "+ version 2",
    expect.stringMatching(/^- Be kind\./),
    expect.stringMatching(/^\+ Be brief\./),
  ])
  expect((await prompts("use", "letters", "base", "1", "--by", "bob")).code).toBe(0)
  expect(await active()).toBe(first)
  const history = JSON.parse((await prompts("history", "letters", "base", "--json")).stdout)
  expect(history).toMatchObject({
    active: 1,
    versions: [
      { number: 2, why: "shorter" },
      { number: 1, by: "ann", why: "kinder", text: first },
    ],
  })
  expect((await prompts("use", "letters", "base", "file")).code).toBe(0)
  expect(await active()).toBe(await readFile(join(cwd, "workflows/prompts/base.md"), "utf8"))
})

it.skipIf(noTerminal !== undefined)("an editor changes the active text", async () => {
  const shown = await answeredInTerminal(["prompts", "edit", "letters", "letter"], {
    answer: "",
    at: /active/,
    cwd,
    env: { EDITOR: "printf 'Write a poem.' >", VISUAL: "" },
  })
  expect(shown).toContain("version 1 of letter is active")
  expect((await prompts("show", "letters", "letter")).stdout).toBe("Write a poem.")
})

it("an edit without a terminal needs a file", async () => {
  const { code, stderr } = await prompts("edit", "letters", "letter")
  expect(code).toBe(2)
  expect(stderr).toContain("no editor can be opened: there is no terminal")
})

it.each([
  [["show", "letters", "bass"], /letters has no prompt "bass"/],
  [["show", "letters", "base", "--version", "9"], /has no version 9/],
  [["use", "letters", "base", "9"], /has no version 9/],
  [["use", "letters", "base", "newest"], /"newest" is no version/],
])("%j is refused", async (args, said) => {
  const { code, stderr } = await prompts(...args)
  expect(code).not.toBe(0)
  expect(stderr).toMatch(said)
})
