/** `planloom new hook` writes a package whose conformance suite passes and which a hook set configures. */
import { execFile } from "node:child_process"
import { mkdir, mkdtemp, readdir, realpath, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import type { RunEvent } from "@planloom/plugin/effect"
import { expect, it } from "vitest"
import { planloom, trusting } from "./planloom.ts"

/** A provider whose model answers at once. */
const loud = `
import { definePlugin, provider } from "@planloom/plugin"

const reply = { text: "HELLO", reasoning: "", toolCalls: [], finish: "stop", usage: { input: 1, output: 1 } }
export default definePlugin({
  id: "loud",
  summary: "Answers.",
  components: { providers: [provider({ id: "loud", summary: "Answers.", generate: async () => reply })] },
})
`

const newFolder = async () => {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "planloom-new-")))
  await symlink(join(import.meta.dirname, "../node_modules"), join(folder, "node_modules"))
  return folder
}

it("new hook writes four files, whose conformance suite passes, and a hook set configures the hook", async () => {
  const cwd = await newFolder()
  const { code, stdout } = await planloom(["new", "hook", "polite"], { cwd })
  expect(code).toBe(0)
  const files = ["README.md", "package.json", "plugin.test.ts", "plugin.ts"]
  expect((await readdir(join(cwd, "polite"))).toSorted()).toEqual(files)
  for (const file of files) expect(stdout).toContain(join("polite", file))

  const tested = await promisify(execFile)(process.execPath, ["--test"], {
    cwd: join(cwd, "polite"),
    env: { PATH: process.env["PATH"] },
  })
  expect(tested.stdout).toMatch(/pass [3-9]/)

  await mkdir(join(cwd, "hooks"))
  await writeFile(join(cwd, "planloom.yaml"), "apiVersion: planloom/v1\nkind: Project\n")
  await writeFile(join(cwd, "persona.md"), "You help.\n")
  await writeFile(
    join(cwd, "hooks/polite_set.yaml"),
    `apiVersion: planloom/v1
kind: HookSet
name: polite_set
hooks: [{ use: polite, with: { section: persona, words: Be kind. } }]
`,
  )
  await writeFile(
    join(cwd, "talk.yaml"),
    `apiVersion: planloom/v1
kind: Workflow
name: talk
use: { plugins: ["@planloom/stages", "@planloom/hooks", ./polite/plugin.ts, ./loud.ts], files: [hooks/polite_set.yaml] }
prompts: { persona: persona.md }
modes: { full: { sections: [persona] } }
defaults: { model: loud/one }
stages: [{ id: say, uses: generate, prompt: { use: persona, mode: full }, with: { task: Hello } }]
`,
  )
  await writeFile(join(cwd, "loud.ts"), loud)
  await trusting(cwd)
  const { stdout: order } = await planloom(["list", "hooks", "talk.yaml", "--order"], { cwd })
  expect(order).toMatch(/section_build say\n +1 +polite/)
  const { stdout: lines } = await planloom(["run", "talk.yaml", "--json"], { cwd })
  const events = lines
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as RunEvent)
  expect(events.flatMap((event) => (event.type === "HookRan" ? [event.patch] : []))[0]).toEqual([
    { op: "replace", path: "/text", value: "You help.\nBe kind." },
  ])
})

it("new hook refuses a name that no hook can have, and a folder that exists", async () => {
  const cwd = await newFolder()
  const { code, stderr } = await planloom(["new", "hook", "Be-Polite"], { cwd })
  expect(stderr).toContain('"Be-Polite" is not a name')
  expect(code).toBe(2)
  await mkdir(join(cwd, "polite"))
  const { stderr: exists } = await planloom(["new", "hook", "polite"], { cwd })
  expect(exists).toContain("polite exists")
})
