/** `planloom new` writes packages whose conformance suites pass and which work as their READMEs say. */
import { execFile } from "node:child_process"
import { mkdir, mkdtemp, readdir, readFile, realpath, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import type { RunEvent } from "@planloom/plugin/effect"
import { wireServer } from "@planloom/testing"
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

/** Writes a package, and gives what its author sees when running its conformance suite. */
const written = async (cwd: string, kind: string, name: string) => {
  const { code, stderr, stdout } = await planloom(["new", kind, name], { cwd })
  expect(code, stderr).toBe(0)
  const files = ["README.md", "package.json", "plugin.test.ts", "plugin.ts"]
  expect((await readdir(join(cwd, name))).toSorted()).toEqual(files)
  for (const file of files) expect(stdout).toContain(join(name, file))
  const tested = await promisify(execFile)(process.execPath, ["--test"], {
    cwd: join(cwd, name),
    env: {
      PATH: process.env["PATH"],
      // Compiling the packages from source takes half of the time.
      NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"],
    },
  })
  return tested.stdout
}

it("new hook writes four files, whose conformance suite passes, and a hook set configures the hook", async () => {
  const cwd = await newFolder()
  expect(await written(cwd, "hook", "polite")).toMatch(/pass [3-9]/)

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

it.each([
  { kind: "stage", name: "shorten", outputs: { text: "Sales rose" } },
  { kind: "tool", name: "count_words", outputs: { words: 5 } },
  { kind: "validator", name: "brief", outputs: { verdict: "block" } },
  { kind: "subagent", name: "calm", outputs: { verdict: "flag" } },
])(
  "new $kind writes a package whose conformance suite passes, and whose README has a workflow that runs",
  async ({ kind, name, outputs }) => {
    const cwd = await newFolder()
    expect(await written(cwd, kind, name)).toMatch(/pass ([3-9]|1\d)/)

    const readme = await readFile(join(cwd, name, "README.md"), "utf8")
    const workflow = /```yaml\n(.*?)```/s.exec(readme)![1]!
    // A service is not asked in a test.
    const answered = workflow
      .replace('"@planloom/provider-openai"', "./loud.ts")
      .replace(/openai\/[^ \n]+/, "loud/one")
    await writeFile(join(cwd, "planloom.yaml"), "apiVersion: planloom/v1\nkind: Project\n")
    await writeFile(join(cwd, "loud.ts"), loud)
    await writeFile(join(cwd, "use.yaml"), answered)
    await trusting(cwd)
    const ran = await planloom(["run", "use.yaml", "--json"], { cwd })
    expect(ran.code, ran.stdout + ran.stderr).toBe(0)
    expect(JSON.parse(ran.stdout.trim().split("\n").at(-1)!)).toMatchObject({ outputs })
  },
)

it("new provider writes a package whose conformance suite passes, and whose README has a workflow that asks the service", async () => {
  const cwd = await newFolder()
  await using server = await wireServer({ answers: [{ text: "Hello." }] })
  expect(await written(cwd, "provider", "house")).toMatch(/pass \d/)
  const readme = await readFile(join(cwd, "house/README.md"), "utf8")
  const [workflow, project] = [...readme.matchAll(/```yaml\n(.*?)```/gs)].map(([, text]) => text!)
  await writeFile(join(cwd, "use.yaml"), workflow!)
  await writeFile(join(cwd, "planloom.yaml"), project!.replace("http://127.0.0.1:8080", server.url))
  await trusting(cwd)
  const ran = await planloom(["run", "use.yaml", "--json"], { cwd })
  expect(ran.code, ran.stdout + ran.stderr).toBe(0)
  expect(ran.stdout).toContain("Hello.")
  expect(server.requests).toHaveLength(1)
})

it.each(["hook", "stage", "tool", "validator", "subagent", "provider"])(
  "new %s refuses a name that no component can have and a folder that exists, and writes to another folder",
  async (kind) => {
    const cwd = await newFolder()
    for (const name of ["Be-Polite", "2fast"]) {
      const { code, stderr } = await planloom(["new", kind, name], { cwd })
      expect(stderr).toContain(`"${name}" is not a name (a-z, 0-9, _; first a letter)`)
      expect(code).toBe(2)
    }
    await mkdir(join(cwd, "polite"))
    const { code, stderr } = await planloom(["new", kind, "polite"], { cwd })
    expect(stderr).toContain("polite exists")
    expect(code).not.toBe(0)
    expect(await readdir(join(cwd, "polite"))).toEqual([])
    await planloom(["new", kind, "polite", "--dir", "packages/polite"], { cwd })
    expect(await readdir(join(cwd, "packages/polite"))).toHaveLength(4)
  },
)

it("new hook accepts a name that is a word of JavaScript or an import of the package", async () => {
  const cwd = await newFolder()
  for (const name of ["delete", "hook"]) {
    expect(await written(cwd, "hook", name)).toMatch(/pass [3-9]/)
  }
})

it("new stage writes a manifest that has the peer dependencies of a plugin", async () => {
  const cwd = await newFolder()
  await planloom(["new", "stage", "shorten"], { cwd })
  const peersIn = async (path: string) =>
    (
      JSON.parse(await readFile(path, "utf8")) as {
        readonly peerDependencies: { readonly [name: string]: string }
      }
    ).peerDependencies
  const { effect } = await peersIn(
    join(import.meta.dirname, "../../../contract/plugin/package.json"),
  )
  expect(await peersIn(join(cwd, "shorten/package.json"))).toMatchObject({ effect })
})
