/** A turn of a session whose process is killed before any event reaches the store, resumed and answered by later commands. */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { afterAll, beforeEach, describe, expect, it } from "vitest"
import { fixture, lines, planloom, type Outcome } from "./planloom.ts"

const folders: Array<string> = []
let cwd: string

/** Kills its process once, as the very first thing a run does. */
const mortal = `import { existsSync, rmSync } from "node:fs"
import { definePlugin, stageKind } from "@planloom/plugin/effect"
import * as Effect from "effect/Effect"

const die = stageKind({
  id: "die",
  summary: "Kills its process if the file 'deadly' exists, and removes the file.",
  input: { type: "object" },
  output: true,
  run: () =>
    Effect.sync(() => {
      if (!existsSync("deadly")) return "alive"
      rmSync("deadly")
      process.kill(process.pid, "SIGKILL")
      return "killed"
    }),
})

const confirm = stageKind<{ readonly wanted: boolean }>({
  id: "confirm",
  summary: "Asks for an approval if one is wanted.",
  input: { type: "object", properties: { wanted: { type: "boolean" } }, required: ["wanted"] },
  output: true,
  run: ({ wanted }, { ask }) =>
    wanted
      ? Effect.map(ask({ kind: "approval", message: "Continue?", schema: { type: "boolean" } }), ({ value }) => value)
      : Effect.succeed(true),
})

export default definePlugin({
  id: "mortal",
  summary: "Stages that end their process or wait for a person.",
  components: { stages: [die, confirm] },
})
`

const talk = `apiVersion: planloom/v1
kind: Workflow
name: talk
use: { plugins: [../mortal.ts] }
inputs: { message: { type: string }, ask: { type: boolean, default: false } }
stages:
  - { id: first, uses: die, with: {} }
  - { id: confirm, uses: confirm, with: { wanted: "\${{ inputs.ask }}" } }
session: { request: "\${{ inputs.message }}", assistant: "\${{ string(size(session.turns)) }}" }
outputs:
  before: { value: "\${{ size(session.turns) }}" }
  session: { value: "\${{ session.id }}" }
`

beforeEach(async () => {
  await mkdir(join(fixture, ".planloom"), { recursive: true })
  cwd = await mkdtemp(join(fixture, ".planloom", "early-"))
  folders.push(cwd)
  await mkdir(join(cwd, "workflows"))
  await writeFile(join(cwd, "mortal.ts"), mortal)
  await writeFile(join(cwd, "workflows/talk.yaml"), talk)
})

afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true })
})

const say = (message: string, ...more: ReadonlyArray<string>) =>
  planloom(
    ["run", "talk", "-i", `message=${message}`, "--session", "s", "--json", "--yes", ...more],
    { cwd, alone: true },
  )

/** Two whole turns, then a third that is killed in its first stage; gives the id of its run. */
const killedTurn = async (...more: ReadonlyArray<string>): Promise<string> => {
  for (const message of ["one", "two"]) expect((await say(message)).code).toBe(0)
  await writeFile(join(cwd, "deadly"), "")
  const killed = await say("three", ...more)
  expect(killed.code, killed.stderr).toBe(null)
  const { stdout } = await planloom(["runs", "list", "--json", "--limit", "1"], { cwd })
  const [record] = JSON.parse(stdout) as [{ run: string; status: string; session: string }]
  expect(record).toMatchObject({ status: "running", session: "s" })
  const events = await planloom(["runs", "events", record.run], { cwd })
  expect(events.stdout, "no event is stored yet").toBe("")
  return record.run
}

const resultIn = (outcome: Outcome) => lines(outcome).at(-1)

const turns = async (): Promise<unknown> => {
  const { stdout } = await planloom(["sessions", "show", "s", "--json"], { cwd })
  return (JSON.parse(stdout) as { turns: unknown }).turns
}

const three = [
  { user: "one", assistant: "0" },
  { user: "two", assistant: "1" },
  { user: "three", assistant: "2" },
]

describe("a turn killed before its first event is stored", { timeout: 60_000 }, () => {
  it("sees the two turns before it and is recorded when it is resumed, suspended and answered", async () => {
    const run = await killedTurn("-i", "ask=true")
    const resumed = await planloom(["runs", "resume", run, "--json"], { cwd })
    expect(resumed, resumed.stderr).toMatchObject({ code: 4 })
    const answered = await planloom(["runs", "answer", run, "--yes", "--json"], { cwd })
    expect(answered, answered.stderr).toMatchObject({ code: 0 })
    expect(resultIn(answered)).toMatchObject({
      status: "succeeded",
      outputs: { before: 2, session: "s" },
    })
    expect(await turns()).toEqual(three)
    const shown = await planloom(["runs", "show", run, "--json"], { cwd })
    expect(JSON.parse(shown.stdout)).toMatchObject({ session: "s", status: "succeeded" })
  })

  it("is recorded when it is reset before it is resumed, and a fork of it sees the same turns", async () => {
    const run = await killedTurn()
    const again = await planloom(["runs", "resume", run, "--json"], { cwd })
    expect(resultIn(again)).toMatchObject({ outputs: { before: 2, session: "s" } })
    const reset = await planloom(["runs", "reset", run, "--from", "first", "--json"], { cwd })
    expect(resultIn(reset)).toMatchObject({ outputs: { before: 2, session: "s" } })
    const fork = await planloom(["runs", "fork", run, "--from", "confirm", "--json"], { cwd })
    expect(resultIn(fork)).toMatchObject({ outputs: { before: 2, session: "s" } })
    expect(await turns()).toEqual(three)
    expect((await planloom(["runs", "replay", run], { cwd })).code).toBe(0)
  })

  it("leaves nothing in its session when it is cancelled instead of resumed", async () => {
    const run = await killedTurn()
    expect((await planloom(["runs", "cancel", run], { cwd })).code).toBe(0)
    expect(await turns()).toEqual(three.slice(0, 2))
    const [started] = lines(await planloom(["runs", "events", run], { cwd }))
    expect(started).toMatchObject({ type: "RunStarted", session: "s" })
  })
})
