/** Recorded runs end to end: they are there, they go on after Ctrl-C and kill -9, and they never stand in the way. */
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import type { RunEvent } from "@planloom/plugin/effect"
import { afterAll, beforeEach, describe, expect, it } from "vitest"
import { resultOf } from "@planloom/core"
import { fixture, lines, planloom } from "./planloom.ts"

const folders: Array<string> = []
let cwd: string

/** A project of its own, where the fixture's packages are found and nothing is committed. */
beforeEach(async () => {
  await mkdir(join(fixture, ".planloom"), { recursive: true })
  cwd = await mkdtemp(join(fixture, ".planloom", "runs-"))
  folders.push(cwd)
  await cp(join(fixture, "plugin.ts"), join(cwd, "plugin.ts"))
  await cp(join(fixture, "workflows"), join(cwd, "workflows"), { recursive: true })
  const slow = join(cwd, "workflows/slow.yaml")
  await writeFile(slow, (await readFile(slow, "utf8")).replace("ms: 60000", "ms: 2000"))
})

afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true })
})

interface Listed {
  readonly run: string
  readonly workflow: string
  readonly status: string
  readonly active: boolean
  readonly epoch: number
}

const listed = async (...args: ReadonlyArray<string>): Promise<ReadonlyArray<Listed>> => {
  const said = await planloom(["runs", "list", "--json", ...args], { cwd })
  expect(said).toMatchObject({ code: 0, stderr: "" })
  return JSON.parse(said.stdout) as ReadonlyArray<Listed>
}

describe("planloom runs", () => {
  it("lists runs, shows their results and prints their events", async () => {
    await planloom(["run", "ends", "-i", "how=well"], { cwd })
    await planloom(["run", "ends", "-i", "how=fail"], { cwd })
    const [failed, succeeded] = await listed()
    expect([failed?.status, succeeded?.status]).toEqual(["failed", "succeeded"])
    expect((await listed("--status", "failed")).length).toBe(1)
    expect((await listed("--workflow", "other")).length).toBe(0)

    const text = await planloom(["runs", "list"], { cwd })
    expect(text.stdout).toContain(`${succeeded!.run}  `)
    const shown = await planloom(["runs", "show", failed!.run.slice(0, 8)], { cwd })
    expect(shown.stdout).toContain("the run failed in service: rate_limit")

    const events = lines(await planloom(["runs", "events", succeeded!.run], { cwd }))
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index))
    expect(resultOf(events as unknown as ReadonlyArray<RunEvent>)).toMatchObject({
      status: "succeeded",
      outputs: { how: "well" },
    })
    const last = await planloom(
      ["runs", "events", succeeded!.run, "--from", String(events.length - 1)],
      { cwd },
    )
    expect(lines(last)).toEqual(events.slice(-1))
  })

  it("resumes a run after Ctrl-C and prints only new events", async () => {
    const cancelled = await planloom(["run", "slow", "--json"], {
      cwd,
      interruptAt: /"Progressed"/,
    })
    expect(cancelled.code).toBe(130)
    const before = lines(cancelled).slice(0, -1)
    const [record] = await listed()
    expect(record).toMatchObject({ status: "cancelled", active: false })
    const resumed = await planloom(["runs", "resume", record!.run, "--json"], { cwd })
    expect(resumed, resumed.stderr).toMatchObject({ code: 0 })
    const after = lines(resumed).slice(0, -1)
    expect(after[0]).toMatchObject({ type: "RunResumed", seq: before.length, epoch: 2 })
    expect(after.filter(({ type, stage }) => type === "StageStarted" && stage === "long")).toEqual(
      [],
    )
    expect(lines(resumed).at(-1)).toMatchObject({ type: "Result", status: "succeeded" })
    const again = await planloom(["runs", "resume", record!.run], { cwd })
    expect(again).toMatchObject({ code: 1, stdout: "" })
    expect(again.stderr).toContain("the run has ended: succeeded")
  })

  it("resumes a run after kill -9 with the workflow it started with", async () => {
    const killed = await planloom(["run", "slow", "--json"], {
      cwd,
      interruptAt: /"Progressed"/,
      signal: "SIGKILL",
    })
    expect(killed.code).toBe(null)
    const [record] = await listed()
    expect(record).toMatchObject({ status: "running", active: false })
    expect((await planloom(["runs", "list"], { cwd })).stdout).toContain("killed, resumable")
    await writeFile(join(cwd, "workflows/slow.yaml"), "this: is another file now\n")
    const resumed = await planloom(["runs", "resume", record!.run, "--json"], { cwd })
    expect(resumed, resumed.stderr).toMatchObject({ code: 0, stderr: "" })
    expect(lines(resumed).at(-1)).toMatchObject({ status: "succeeded", run: record!.run })
    expect((await listed())[0]).toMatchObject({ status: "succeeded", epoch: 2 })
  })

  it("refuses to resume a run that another process owns, even with a clock 20 s ahead", async () => {
    const { promise: interruptAfter, resolve: end } = Promise.withResolvers<void>()
    const running = planloom(["run", "hang"], { cwd, interruptAfter })
    try {
      let seen = ""
      while (!seen.includes('"active":')) {
        seen = (await planloom(["runs", "list", "--json"], { cwd })).stdout
      }
      const [record] = await listed()
      const ahead = encodeURIComponent("const now = Date.now; Date.now = () => now() + 20_000")
      for (const env of [{}, { NODE_OPTIONS: `--import=data:text/javascript,${ahead}` }]) {
        const declined = await planloom(["runs", "resume", record!.run], { cwd, env })
        expect(declined).toMatchObject({ code: 1, stdout: "" })
        expect(declined.stderr).toContain("another process owns this run")
      }
      expect((await listed())[0]).toMatchObject({ active: true, epoch: 1 })
      const taken = await planloom(["runs", "resume", record!.run, "--force", "--json"], {
        cwd,
        interruptAt: /"RunResumed"/,
      })
      expect(taken.code).toBe(130)
      expect((await listed())[0]).toMatchObject({ epoch: 2 })
    } finally {
      end()
    }
    expect((await running).code).toBe(130)
  })

  it("answers a suspended run in another process, which resumes it", async () => {
    const asked = await planloom(["run", "ends", "-i", "how=approve"], { cwd })
    expect(asked).toMatchObject({ code: 4, stdout: "" })
    const [, command] = /answer: planloom (runs answer \S+) --yes/.exec(asked.stderr) ?? []
    expect(command, asked.stderr).toBeDefined()
    const args = command!.split(" ")
    expect((await listed("--status", "suspended"))[0]).toMatchObject({ active: false })
    const shown = await planloom(["runs", "show", args[2]!], { cwd })
    expect(shown.stdout).toMatch(
      /waits for an answer[^]*lock_door: do you approve\?[^]* {4}door  front/,
    )
    const nothing = await planloom(args, { cwd })
    expect(nothing).toMatchObject({ code: 2, stdout: "" })
    expect(nothing.stderr).toContain("--yes (or --no --comment '…')")
    const wrong = await planloom([...args, "--value", "7"], { cwd })
    expect(wrong.code).toBe(1)
    expect(wrong.stderr).toContain('"7" is not a valid answer: type yes, or no with a reason')
    const perhaps = await planloom([...args, "--value", '{"approved": "perhaps"}'], { cwd })
    expect(perhaps.stderr).toContain("the answer does not fit: approved must be boolean")
    expect(await planloom([...args, "--yes", "--by", "ann"], { cwd })).toEqual({
      code: 0,
      stdout: "approve\n",
      stderr: "",
    })
    const again = await planloom([...args, "--no"], { cwd })
    expect(again.code).toBe(1)
    expect(again.stderr).toContain("does not wait for an answer")

    const question = await planloom(["run", "ends", "-i", "how=ask", "--json"], { cwd })
    expect(question.code).toBe(4)
    const { run, waits } = lines(question).at(-1) as { run?: string; waits?: unknown }
    expect(waits).toMatchObject([{ name: "question/clarification:1", options: ["north", "south"] }])
    expect(
      (await planloom(["runs", "answer", run!, "--value", "1", "--no-resume"], { cwd })).code,
    ).toBe(0)
    const answered = (await planloom(["runs", "show", run!], { cwd })).stdout
    expect(answered).toMatch(
      /answered by .*: question\/clarification:1\nresume it: planloom runs resume/,
    )
    expect(answered).not.toContain("waits for an answer")
    const list = (await planloom(["runs", "list"], { cwd })).stdout
    expect(list).toMatch(new RegExp(`${run} .*answered, resumable`))
    expect(list).not.toContain("waits for an answer")
    expect((await listed())[0]).toMatchObject({ run, question: "answered" })
    const second = await planloom(["runs", "answer", run!, "--value", "2"], { cwd })
    expect(second.stderr).toMatch(/the question of this run was answered by .+, \d{4}-/)
    const resumed = await planloom(["runs", "resume", run!, "--json"], { cwd })
    const events = lines(resumed)
    expect(events.find(({ type }) => type === "Answered")).toMatchObject({ value: "north" })
    // The fixture asks again after every answer.
    expect(events.at(-1)).toMatchObject({ status: "clarification" })
  })

  it("takes an answer with several values field by field, each by its type", async () => {
    await writeFile(
      join(cwd, "workflows/send.yaml"),
      `apiVersion: planloom/v1
kind: Workflow
name: send
use: { plugins: ["@planloom/stages"] }
stages:
  - id: ask
    uses: approve
    with:
      message: Send the letter?
      schema:
        type: object
        required: [send, copies]
        properties:
          send: { type: boolean }
          copies: { type: integer, minimum: 1 }
          to: { type: array, items: { type: string } }
outputs: { answer: "\${{ stages.ask.output }}" }
`,
    )
    const asked = await planloom(["run", "send"], { cwd })
    expect(asked).toMatchObject({ code: 4, stdout: "" })
    const [, id, flags] = /answer: planloom runs answer (\S+) (.*)/.exec(asked.stderr) ?? []
    expect(flags).toBe(
      "--field send=… --field copies=… --field to=… (send: true or false, copies: a whole number, at least 1, to?: a list of texts)",
    )
    const answer = (...fields: ReadonlyArray<string>) =>
      planloom(["runs", "answer", id!, ...fields.flatMap((one) => ["--field", one])], { cwd })
    const refused = {
      "sent=yes": 'the question has no field "sent"',
      "send=perhaps": 'the field "send" expects true or false, not "perhaps"',
      "send=yes": 'this is not a valid answer: the answer does not fit: it lacks the key "copies"',
      copies: '--field expects name=value, not "copies"',
    }
    for (const [field, message] of Object.entries(refused)) {
      const said = await answer(field)
      expect(said.stderr).toContain(message)
      expect(said.code).not.toBe(0)
    }
    const both = await planloom(["runs", "answer", id!, "--yes", "--field", "send=no"], { cwd })
    expect(both.stderr).toContain("exclude each other")
    const nothing = await planloom(["runs", "answer", id!], { cwd })
    expect(nothing.stderr).toContain("help: --field send=… --field copies=…")
    const sent = await answer("send=yes", "copies=2", "to=ann", "to=bob")
    expect(sent, sent.stderr).toMatchObject({
      code: 0,
      stdout: "answer\nsend: true\ncopies: 2\nto:\n  - ann\n  - bob\n",
    })
  })

  it("reports a store that is deleted during a run, with exit code 3", async () => {
    await writeFile(
      join(cwd, "gone.ts"),
      `import { rmSync } from "node:fs"
import { definePlugin, stageKind } from "@planloom/plugin/effect"
import * as Effect from "effect/Effect"
const gone = stageKind({
  id: "gone",
  summary: "Deletes the store.",
  input: { type: "object" },
  output: { type: "string" },
  run: () => Effect.sync(() => (rmSync(".planloom/runs.db"), "deleted")),
})
export default definePlugin({ id: "gone", summary: "Deletes.", components: { stages: [gone] } })
`,
    )
    await writeFile(
      join(cwd, "workflows/gone.yaml"),
      `apiVersion: planloom/v1
kind: Workflow
name: gone
use: { plugins: [../gone.ts] }
stages: [{ id: a, uses: gone }]
outputs: { a: "\${{ stages.a.output }}" }
`,
    )
    const said = await planloom(["run", "gone"], { cwd })
    expect(said).toMatchObject({ code: 3, stdout: "deleted\n" })
    expect(said.stderr).toMatch(/the end of the run is not recorded: .*runs\.db was deleted/)
  })

  it("warns about a store that cannot be opened, and the run starts", async () => {
    await mkdir(join(cwd, ".planloom"))
    const path = join(cwd, ".planloom/runs.db")
    await writeFile(path, "not a database\n".repeat(100))
    const said = await planloom(["run", "ends", "-i", "how=well"], { cwd })
    expect(said).toMatchObject({ code: 0, stdout: "well\n" })
    expect(said.stderr).toMatch(/the run is not recorded: .*damaged or not a store of runs/)
    const wanted = await planloom(["run", "ends", "-i", "how=well", "--store"], { cwd })
    expect(wanted).toMatchObject({ code: 1, stdout: "" })
    expect(await planloom(["run", "ends", "-i", "how=well", "--no-store"], { cwd })).toEqual({
      code: 0,
      stdout: "well\n",
      stderr: "",
    })
    expect(await readFile(path, "utf8")).toBe("not a database\n".repeat(100))
  })

  it("exports a run as one document, and prunes runs", async () => {
    const none = await planloom(["runs", "list"], { cwd })
    expect(none).toMatchObject({ code: 1, stdout: "" })
    expect(none.stderr).toContain("no runs are recorded here")
    for (const how of ["well", "fail"]) await planloom(["run", "ends", "-i", `how=${how}`], { cwd })
    const [, first] = await listed()
    const out = join(cwd, "run.json")
    expect(await planloom(["runs", "export", first!.run, "--out", out], { cwd })).toMatchObject({
      code: 0,
    })
    expect(JSON.parse(await readFile(out, "utf8"))).toMatchObject({
      format: "planloom/run/v1",
      record: { run: first!.run, inputs: { how: "well" } },
      definition: { file: "workflows/ends.yaml" },
    })
    const unsaid = await planloom(["runs", "prune"], { cwd })
    expect(unsaid.code).toBe(2)
    const pruned = await planloom(["runs", "prune", "--keep", "1", "--json"], { cwd })
    expect(JSON.parse(pruned.stdout)).toEqual([first!.run])
    expect((await listed()).length).toBe(1)
    const gone = await planloom(["runs", "show", first!.run], { cwd })
    expect(gone.code).toBe(1)
    expect(gone.stderr).toContain("run not found")
  })
})
