/** The user of a run on the command line: run, chat, plan, and the commands of `planloom runs`. */
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { afterAll, beforeEach, describe, expect, it } from "vitest"
import { fixture, planloom, trusting, type Options, type Outcome } from "./planloom.ts"

const folders: Array<string> = []
let cwd: string

beforeEach(async () => {
  await mkdir(join(fixture, ".planloom"), { recursive: true })
  cwd = await mkdtemp(join(fixture, ".planloom", "user-"))
  await trusting(cwd)
  folders.push(cwd)
  await writeFile(join(cwd, "letters.ts"), plugin)
  await mkdir(join(cwd, "workflows"))
  await writeFile(join(cwd, "workflows/letter.yaml"), workflow)
  await writeFile(join(cwd, "workflows/none.yaml"), withoutUser)
  await writeFile(join(cwd, "ann.json"), JSON.stringify(ann))
})

afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true })
})

/** `send` fails while there is a file `broken`, and does not end while there is a file `slow`. */
const plugin = `import { existsSync } from "node:fs"
import { StageFailed, definePlugin, stageKind } from "@planloom/plugin/effect"
import * as Effect from "effect/Effect"
const input = { type: "object", additionalProperties: true }
const write = stageKind({
  id: "write", summary: "Writes.", input, output: true,
  run: ({ text }, context) => context.step("write", Effect.succeed("dear " + text)),
})
const send = stageKind({
  id: "send", summary: "Sends.", input, output: true,
  run: ({ text }, { user }) => existsSync("slow") ? Effect.never
    : existsSync("broken")
      ? Effect.fail(new StageFailed({ class: "unavailable", message: "no way to " + user.email }))
      : Effect.succeed(text + " sent to " + user.email),
})
export default definePlugin({ id: "letters", summary: "Letters.", components: { stages: [write, send] } })
`

const workflow = `apiVersion: planloom/v1
kind: Workflow
name: letter
use: { plugins: [../letters.ts] }
user:
  type: object
  required: [id, email]
  properties: { id: { type: string }, email: { type: string }, tier: { enum: [free, premium] } }
inputs: { note: { type: string, default: none } }
session:
  request: "\${{ inputs.note }}"
  assistant: "\${{ string(stages.sent.output) }}"
stages:
  - { id: letter, uses: write, with: { text: "\${{ user.email }}: \${{ inputs.note }}" } }
  - { id: sent, uses: send, with: { text: "\${{ stages.letter.output }}" } }
outputs: { sent: { value: "\${{ stages.sent.output }}" } }
`

const withoutUser = `apiVersion: planloom/v1
kind: Workflow
name: none
use: { plugins: [../letters.ts] }
stages: [{ id: letter, uses: write, with: { text: you } }]
outputs: { letter: { value: "\${{ stages.letter.output }}" } }
`

const ann = { id: "user-4711", email: "ann@example.org" }
const bob = { id: "user-4712", email: "bob@example.org" }
const user = ["--user", "@ann.json"]

const say = (...args: ReadonlyArray<string>): Promise<Outcome> => planloom(args, { cwd })

const newest = async (): Promise<string> =>
  (JSON.parse((await say("runs", "list", "--json")).stdout) as ReadonlyArray<{ run: string }>)[0]!
    .run

/** Everything that a folder of the project holds. */
const bytesOf = async (folder: string): Promise<string> => {
  const entries = await readdir(join(cwd, folder), { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  const texts = files.map(({ name, parentPath }) => readFile(join(parentPath, name), "latin1"))
  return (await Promise.all(texts)).join("\n")
}

const sent = (note: string) => `dear ann@example.org: ${note} sent to ann@example.org\n`

describe("planloom run --user", () => {
  it("gives the user as JSON or from a file, and records none of its texts", async () => {
    const inline = await say(
      "run",
      "letter",
      "--user",
      JSON.stringify(ann),
      "-i",
      "note=to ann@example.org",
    )
    expect(inline, inline.stderr).toMatchObject({ code: 0, stdout: sent("to ann@example.org") })
    expect(await say("run", "letter", ...user)).toMatchObject({ code: 0, stdout: sent("none") })
    const recorded = await bytesOf(".planloom")
    expect(recorded).toContain("[user:email]")
    expect(recorded).not.toContain("ann@example.org")
    expect(recorded).not.toContain("user-4711")
  })

  it("refuses a missing user, one that does not fit, and one that nothing reads", async () => {
    const refused = async (args: ReadonlyArray<string>, message: string) => {
      const { code, stderr, stdout } = await say("run", ...args)
      expect({ code, stdout }).toEqual({ code: 2, stdout: "" })
      expect(stderr).toContain(message)
    }
    await refused(["letter"], "declares `user:` and needs a user")
    await refused(["letter"], "--user @user.json")
    await refused(["letter", "--user", '{ "id": 7, "email": "a@b.org" }'], "id must be string")
    await refused(["letter", "--user", '{ "id": "u" }'], 'lacks the key "email"')
    await refused(["letter", "--user", "[1]"], "is not a JSON object")
    await refused(
      ["letter", "--user", "@nobody.json"],
      "nobody.json cannot be read: file not found",
    )
    await refused(["none", ...user], 'the workflow "none" takes no user')
    expect((await say("runs", "list", "--json")).stdout.trim()).toBe("[]")
  })

  it("keeps the user out of a cassette", async () => {
    expect(await say("run", "letter", ...user, "--record", "tape")).toMatchObject({ code: 0 })
    expect(await bytesOf("tape")).not.toMatch(/ann@example\.org|user-4711/)
    const other = await say("run", "letter", "--user", JSON.stringify(bob), "--replay", "tape")
    expect(other.stdout).toContain("dear bob@example.org")
  })
})

describe("planloom runs with a run of a user", () => {
  it("needs the same user again for reset, fork and replay", async () => {
    await writeFile(join(cwd, "broken"), "")
    expect((await say("run", "letter", ...user)).code).toBe(3)
    await rm(join(cwd, "broken"))
    const run = await newest()
    const missing = await say("runs", "reset", run)
    expect(missing.code).toBe(2)
    expect(missing.stderr).toContain("needs a user")
    const wrong = await say("runs", "reset", run, "--user", JSON.stringify(bob))
    expect(wrong.code).toBe(2)
    expect(wrong.stderr).toContain("of another user")
    expect((await say("runs", "show", run, "--json")).stdout).toContain('"status": "failed"')
    const reset = await say("runs", "reset", run, ...user, "-q")
    expect(reset, reset.stderr).toMatchObject({ code: 0, stdout: sent("none") })
    const fork = await say("runs", "fork", run, "--from", "sent", ...user, "-q")
    expect(fork, fork.stderr).toMatchObject({ code: 0, stdout: sent("none") })
    const replay = await say("runs", "replay", run, ...user)
    expect(replay.stderr).toContain("same result: succeeded")
    expect(await bytesOf(".planloom")).not.toMatch(/ann@example\.org|user-4711/)
  })

  it("resumes a killed run for the same user only", async () => {
    await writeFile(join(cwd, "slow"), "")
    const options: Options = { cwd, interruptAt: /"stage":"sent"/, signal: "SIGKILL" }
    await planloom(["run", "letter", ...user, "--json"], options)
    await rm(join(cwd, "slow"))
    const run = await newest()
    expect((await say("runs", "resume", run)).stderr).toContain("needs a user")
    const wrong = await say("runs", "resume", run, "--user", JSON.stringify(bob))
    expect(wrong.code).toBe(2)
    expect(wrong.stderr).toContain(`the run ${run} is of another user`)
    const resumed = await say("runs", "resume", run, ...user, "-q")
    expect(resumed, resumed.stderr).toMatchObject({ code: 0, stdout: sent("none") })
  })
})

describe("other commands with a user", () => {
  it("chat gives the same user to every turn", async () => {
    const args = ["chat", "letter", "--session", "s", ...user]
    const { stdout } = await planloom(args, { cwd, input: "one\ntwo\n" })
    expect(stdout).toBe(sent("one") + sent("two"))
    const kept = await say("sessions", "show", "s", "--json")
    expect(kept.stdout).toContain("[user:email]")
    expect((await planloom(["chat", "letter"], { cwd, input: "one\n" })).stderr).toContain(
      "needs a user",
    )
  })

  it("plan needs no user, and checks one that is given", async () => {
    expect((await say("plan", "letter")).code).toBe(0)
    expect((await say("plan", "letter", ...user)).code).toBe(0)
    const wrong = await say("plan", "letter", "--user", "{}")
    expect(wrong.code).toBe(2)
    expect(wrong.stderr).toContain('lacks the key "id"')
  })
})

describe("users forget --runs", () => {
  /** Files below the state folder whose raw bytes hold the text. */
  const filesWith = async (text: string): Promise<ReadonlyArray<string>> => {
    const state = join(cwd, ".planloom")
    const names = await readdir(state, { recursive: true, withFileTypes: true })
    const files = names
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
    const bytes = await Promise.all(files.map((file) => readFile(file, "latin1")))
    return files.filter((_, index) => bytes[index]!.includes(text))
  }

  it("leaves no byte of what a person said or got, and keeps the runs of others", async () => {
    await writeFile(join(cwd, "bob.json"), JSON.stringify(bob))
    for (const [file, note] of [
      ["@ann.json", "CANARY-ANN"],
      ["@bob.json", "CANARY-BOB"],
    ] as const) {
      for (const more of [["--session", `s-${note}`], ["--out", "out"], []]) {
        const args = ["run", "letter", "--store", "--user", file, "--input", `note=${note}`]
        const { code, stderr } = await say(...args, ...more)
        expect(code, stderr).toBe(0)
      }
    }
    expect(await filesWith("CANARY-ANN")).not.toEqual([])
    const kept = await say("users", "forget", ann.id)
    expect(kept.stderr).toContain("--runs erases them")
    expect(await filesWith("CANARY-ANN")).not.toEqual([])
    const { code, stderr } = await say("users", "forget", ann.id, "--runs")
    expect(code, stderr).toBe(0)
    expect(stderr).toContain("erased 3 runs")
    for (const text of ["CANARY-ANN", ann.id, ann.email]) expect(await filesWith(text)).toEqual([])
    expect(await filesWith("CANARY-BOB")).not.toEqual([])
    const listed = JSON.parse(
      (await say("runs", "list", "--json")).stdout,
    ) as ReadonlyArray<unknown>
    expect(listed).toHaveLength(3)
  })
})
