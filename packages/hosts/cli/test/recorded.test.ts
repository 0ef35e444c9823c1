/** Recorded runs end to end: cancel, reset, fork, replay, watch, migrate, export, import, list, prune. */
import { existsSync } from "node:fs"
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeEach, describe, expect, it } from "vitest"
import { fixture, lines, planloom, trusting, type Outcome } from "./planloom.ts"

const folders: Array<string> = []
let cwd: string

beforeEach(async () => {
  await mkdir(join(fixture, ".planloom"), { recursive: true })
  cwd = await mkdtemp(join(fixture, ".planloom", "recorded-"))
  await trusting(cwd)
  folders.push(cwd)
  await cp(join(fixture, "plugin.ts"), join(cwd, "plugin.ts"))
  await writeFile(join(cwd, "log.ts"), logPlugin)
  await mkdir(join(cwd, "workflows"))
  await writeFile(join(cwd, "workflows/log.yaml"), workflow)
  await writeFile(join(cwd, "workflows/slow.yaml"), slow)
})

afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true })
})

/** Every stage writes a line when it is really done; `broken` is a file with the ids that fail. */
const logPlugin = `import { appendFileSync, existsSync, readFileSync } from "node:fs"
import { StageFailed, definePlugin, stageKind } from "@planloom/plugin/effect"
import * as Effect from "effect/Effect"
const log = stageKind({
  id: "log",
  summary: "Writes a line when it works.",
  input: { type: "object", properties: { say: true }, required: ["say"], additionalProperties: false },
  output: true,
  run: ({ say }, { path }) =>
    Effect.suspend(() => {
      const broken = existsSync("broken") ? readFileSync("broken", "utf8").split(" ") : []
      appendFileSync("log.txt", path + "\\n")
      return broken.includes(path)
        ? Effect.fail(new StageFailed({ class: "unavailable", message: path + " is broken" }))
        : Effect.succeed(say)
    }),
})
export default definePlugin({ id: "log", summary: "Logs.", components: { stages: [log] } })
`

const workflow = `apiVersion: planloom/v1
kind: Workflow
name: log
use: { plugins: [../log.ts] }
inputs:
  topic: { type: string, default: tea }
  tone: { type: string, default: plain }
stages:
  - { id: first, uses: log, with: { say: "\${{ inputs.topic }}" } }
  - id: work
    repeat: { max_iterations: 3, until: iter.index >= 1, carry: { n: 0 }, next: { n: "\${{ iter.n + 1 }}" } }
    stages:
      - { id: left, uses: log, with: { say: 1 } }
      - { id: right, uses: log, with: { say: 2 } }
  - id: beside
    stages:
      - { id: a, needs: [], uses: log, with: { say: 1 } }
      - { id: b, needs: [], uses: log, with: { say: 2 } }
      - { id: c, needs: [a], uses: log, with: { say: 3 } }
  - { id: last, uses: log, with: { say: "\${{ inputs.tone }}" } }
finally:
  - { id: tidy, uses: log, with: { say: bye } }
outputs: { said: { value: "\${{ stages.first.output }} \${{ stages.last.output }}" } }
`

const slow = `apiVersion: planloom/v1
kind: Workflow
name: slow
use: { plugins: [../plugin.ts, ../log.ts] }
stages:
  - { id: begin, uses: log, with: { say: 1 } }
  - { id: long, uses: wait, with: { ms: 3000 } }
  - { id: after, uses: log, with: { say: 2 } }
finally:
  - { id: tidy, uses: log, with: { say: bye } }
`

const say = (...args: ReadonlyArray<string>): Promise<Outcome> => planloom(args, { cwd })

/** What was really done since the last time, in order. */
const done = async (): Promise<ReadonlyArray<string>> => {
  const path = join(cwd, "log.txt")
  const text = await readFile(path, "utf8").catch(() => "")
  await rm(path, { force: true })
  return text.split("\n").filter((line) => line !== "")
}

const breaking = (...paths: ReadonlyArray<string>) =>
  writeFile(join(cwd, "broken"), paths.join(" "))

const newest = async (): Promise<{ readonly [key: string]: unknown; readonly run: string }> =>
  (JSON.parse((await say("runs", "list", "--json")).stdout) as ReadonlyArray<{ run: string }>)[0]!

const all = ["first", "work[0]/left", "work[0]/right", "work[1]/left", "work[1]/right"]

describe("a workflow that is run from another folder", () => {
  it("is recorded beside the project file of the workflow", async () => {
    await writeFile(join(cwd, "planloom.yaml"), "apiVersion: planloom/v1\nkind: Project\n")
    const other = join(cwd, "other")
    await mkdir(other)
    const path = join(cwd, "workflows/log.yaml")
    expect((await planloom(["run", path], { cwd: other })).code).toBe(0)
    expect((await say("runs", "list")).stdout).toContain("log")
    expect(existsSync(join(other, ".planloom", "runs.db"))).toBe(false)
  })
})

describe("planloom runs show", () => {
  it("names the stages that ended by their fallback or failed while the run continued, and why", async () => {
    await writeFile(
      join(cwd, "workflows/survives.yaml"),
      `apiVersion: planloom/v1
kind: Workflow
name: survives
use: { plugins: [../log.ts] }
stages:
  - { id: one, uses: log, with: { say: 1 }, fallback: { uses: log, with: { say: 2 } } }
  - { id: two, uses: log, with: { say: 1 }, on_error: continue }
  - { id: three, uses: log, with: { say: 3 } }
`,
    )
    await breaking("one", "two")
    await say("run", "survives")
    await done()
    const shown = await say("runs", "show", (await newest()).run)
    expect(shown.stdout).toMatch(/^one +success by fallback/m)
    expect(shown.stdout).toMatch(/^two +failure, continued/m)
    expect(shown.stdout).toMatch(/^three +success +\d/m)
    expect(shown.stdout).toContain(
      "degraded: 1 stage failed, and the run continued (two: unavailable: two is broken)",
    )
    expect(shown.stdout).toContain(
      "degraded: 1 stage ended by the fallback (one: unavailable: one is broken)",
    )
    await say("run", "log")
    await done()
    const looped = await say("runs", "show", (await newest()).run)
    expect(looped.stdout).toMatch(/^work +success, done/m)
  })
})

describe("planloom runs reset", () => {
  it("runs the failed stage and later ones again, and no others", async () => {
    await breaking("work[1]/right")
    expect((await say("run", "log")).code).toBe(3)
    expect(await done()).toEqual([...all, "tidy"])
    const { run } = await newest()
    await breaking()
    const again = await say("runs", "reset", run, "--json")
    expect(again, again.stderr).toMatchObject({ code: 0 })
    expect(await done()).toEqual([
      "work[1]/right",
      "beside/a",
      "beside/b",
      "beside/c",
      "last",
      "tidy~2",
    ])
    const printed = lines(again)
    expect(printed[0]).toMatchObject({ type: "RunReset", from: "work[1]/right" })
    const started = printed.flatMap(({ path, type }) => (type === "StageStarted" ? [path] : []))
    expect(started).toContain("work[1]/right")
    expect(started).not.toContain("work[1]/left")
    expect(printed.at(-1)).toMatchObject({ status: "succeeded", outputs: { said: "tea plain" } })
    const events = lines(await say("runs", "events", run))
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index))
  })

  it("resets to any stage; in a graph only dependent stages run again", async () => {
    await say("run", "log")
    await done()
    const { run } = await newest()
    expect((await say("runs", "reset", run)).stderr).toContain("name the stage to reset it to")
    const unknown = await say("runs", "reset", run, "--from", "beside/x")
    expect(unknown).toMatchObject({ code: 2 })
    expect(unknown.stderr).toMatch(/no stage "beside\/x"[^]*did you mean "beside/)
    expect((await say("runs", "reset", run, "--from", "beside/a")).code).toBe(0)
    expect(await done()).toEqual(["beside/a", "beside/c", "last", "tidy~2"])
    expect((await say("runs", "reset", run, "--from", "work[0]/right")).code).toBe(0)
    expect(await done()).toEqual([
      "work[0]/right",
      "work[1]/left",
      "work[1]/right",
      "beside/a",
      "beside/b",
      "beside/c",
      "last",
      "tidy~3",
    ])
    const shown = (await say("runs", "show", run)).stdout
    expect(shown).toContain("to work[0]/right")
    expect(shown).toContain("succeeded")
  })
})

describe("planloom runs fork", () => {
  it("reuses earlier stages, and refuses if they would have changed", async () => {
    await say("run", "log")
    await done()
    const { run } = await newest()
    const refused = await say("runs", "fork", run, "--from", "last", "-i", "topic=coffee")
    expect(refused.code).toBe(1)
    expect(refused.stderr).toContain('the stage "first" would be reused, but it reads')
    const changed = await say(
      "runs",
      "fork",
      run,
      "--from",
      "last",
      "--set",
      "stages.first.with.say=x",
    )
    expect(changed.stderr).toContain('the stage "first" would be reused, but its with')
    expect(await done()).toEqual([])
    const forked = await say("runs", "fork", run, "--from", "last", "-i", "tone=warm", "-q")
    expect(forked, forked.stderr).toMatchObject({ code: 0, stdout: "tea warm\n" })
    expect(await done()).toEqual(["last", "tidy"])
    const made = await newest()
    expect(made).toMatchObject({ status: "succeeded", inputs: { topic: "tea", tone: "warm" } })
    expect((await say("runs", "show", made.run)).stdout).toContain(`from last of ${run}`)
    const set = await say(
      "runs",
      "fork",
      run,
      "--from",
      "last",
      "--set",
      "stages.last.with.say=hot",
      "-q",
    )
    expect(set).toMatchObject({ code: 0, stdout: "tea hot\n" })
  })
})

describe("planloom runs replay", () => {
  it("calls nothing, and reports whether the result is the same", async () => {
    await say("run", "log")
    await done()
    const { run } = await newest()
    const before = (await say("runs", "events", run)).stdout
    expect(await say("runs", "replay", run)).toMatchObject({
      code: 0,
      stderr: "same result: succeeded\n",
    })
    const path = join(cwd, "workflows/log.yaml")
    await writeFile(path, workflow.replace("- { id: b, needs", "- { id: new, needs"))
    const today = await say("runs", "replay", run, "--definition", "current", "--json")
    expect(today.code).toBe(1)
    expect(JSON.parse(today.stdout)).toMatchObject({ same: false, differs: { step: "beside/b" } })
    expect(await done()).toEqual([])
    expect((await say("runs", "events", run)).stdout).toBe(before)
  })
})

describe("planloom runs cancel and watch", () => {
  it("cancel and show a run that another process owns", async () => {
    await takes(60_000)
    const running = planloom(["run", "slow", "--json"], { cwd, alone: true })
    const run = await underWay()
    const watching = planloom(["runs", "watch", run, "--json", "--from", "2"], { cwd })
    const cancelled = await say("runs", "cancel", run, "--now", "--reason", "enough", "--json")
    expect(JSON.parse(cancelled.stdout)).toEqual({
      run,
      status: "cancelled",
      mode: "now",
      reason: "enough",
    })
    const [ended, watched] = await Promise.all([running, watching])
    expect([ended.code, watched.code]).toEqual([130, 130])
    expect(lines(ended).at(-2)).toMatchObject({ type: "RunCancelled", reason: "enough" })
    expect(lines(watched)[0]).toMatchObject({ seq: 2 })
    expect(lines(watched).slice(0, -1)).toEqual(lines(ended).slice(2, -1))
    expect(await done()).toEqual(["begin", "tidy"])
    expect((await say("runs", "cancel", run)).stderr).toContain("the run has ended: cancelled")
  })

  it("let the current step end, unless --now is given", async () => {
    await takes(8_000)
    const running = planloom(["run", "slow", "--json"], { cwd, alone: true })
    const run = await underWay()
    await say("runs", "cancel", run)
    expect((await running).code).toBe(130)
    expect(await done()).toEqual(["begin", "tidy"])
    const shown = JSON.parse((await say("runs", "show", run, "--json")).stdout) as {
      readonly result: {
        readonly stages: { readonly [path: string]: { readonly outcome: string } }
      }
    }
    expect(shown.result.stages["long"]?.outcome).toBe("success")
  })

  it("cancel a run that waits for an answer", async () => {
    await writeFile(
      join(cwd, "workflows/asks.yaml"),
      slow
        .replace("name: slow", "name: asks")
        .replace("uses: wait, with: { ms: 3000 }", "uses: ask"),
    )
    expect((await say("run", "asks")).code).toBe(4)
    await done()
    const { run } = await newest()
    expect((await say("runs", "watch", run)).code).toBe(4)
    const cancelled = await say("runs", "cancel", run, "--reason", "not needed", "--json")
    expect(JSON.parse(cancelled.stdout)).toMatchObject({ status: "cancelled" })
    expect(await done()).toEqual(["tidy"])
    expect((await say("runs", "show", run)).stdout).toContain("the run was cancelled: not needed")
    // Each of its ends has a `finally` of its own, and only the last is gone over.
    expect((await say("runs", "resume", run)).code).toBe(4)
    await say("runs", "cancel", run)
    expect(await done()).toEqual(["tidy~2"])
    expect(await say("runs", "replay", run)).toMatchObject({ code: 0 })
  })

  it("cancel a killed run: `finally` runs, and the run can be resumed", async () => {
    const killed = await planloom(["run", "slow", "--json"], {
      cwd,
      interruptAt: /"Progressed"/,
      signal: "SIGKILL",
    })
    expect(killed.code).toBe(null)
    await done()
    const { run } = await newest()
    const watched = await say("runs", "watch", run)
    expect(watched.code).toBe(130)
    expect(watched.stderr).toContain("it was killed")
    const cancelled = await say("runs", "cancel", run)
    expect(cancelled, cancelled.stderr).toMatchObject({ code: 0 })
    expect(await done()).toEqual(["tidy"])
    expect(await newest()).toMatchObject({ status: "cancelled", active: false })
    expect((await say("runs", "resume", run, "-q")).code).toBe(0)
    expect(await done()).toEqual(["after", "tidy~2"])
  })
})

/** The long stage of `slow` takes so many milliseconds: longer than the commands that find it under way and cancel it. */
const takes = (ms: number) =>
  writeFile(join(cwd, "workflows/slow.yaml"), slow.replace("ms: 3000", `ms: ${ms}`))

/** The id of the run that has come to its long stage. */
const underWay = async (): Promise<string> => {
  for (;;) {
    const listed = await say("runs", "list", "--json", "--status", "running")
    const found = listed.code === 0 ? (JSON.parse(listed.stdout) as Array<{ run: string }>) : []
    const run = found[0]?.run
    if (run === undefined) continue
    const { stdout } = await say("runs", "events", run)
    if (stdout.includes('"Progressed"')) return run
  }
}

describe("planloom runs migrate", () => {
  it("lists what would run again, and changes nothing without --apply", async () => {
    await breaking("last")
    await say("run", "log")
    await done()
    await breaking()
    const { run } = await newest()
    const path = join(cwd, "workflows/log.yaml")
    await writeFile(
      path,
      workflow
        .replace(
          "id: c, needs: [a], uses: log, with: { say: 3 }",
          "id: c, needs: [a], uses: log, with: { say: 4 }",
        )
        .replace(
          "- { id: b, needs: [], uses: log, with: { say: 2 } }",
          "- { id: b, needs: [], uses: log, timeout: 9s, with: { say: 2 } }",
        ),
    )
    const before = (await say("runs", "events", run)).stdout
    const text = await say("runs", "migrate", run)
    expect(text, text.stderr).toMatchObject({ code: 0 })
    expect(text.stdout).toMatch(/b +changed +policy +recorded steps stay valid/)
    expect(text.stdout).toMatch(/c +changed +with +runs again/)
    expect((await say("runs", "events", run)).stdout).toBe(before)
    const applied = await say("runs", "migrate", run, "--apply", "--json")
    expect(JSON.parse(applied.stdout)).toMatchObject({
      applied: true,
      steps: { valid: 7, again: ["beside/c", "last", "tidy"], orphaned: [] },
    })
    const resumed = await say("runs", "resume", run, "-q")
    expect(resumed, resumed.stderr).toMatchObject({ code: 0, stdout: "tea plain\n" })
    expect(await done()).toEqual(["beside/c", "last", "tidy~2"])
  })

  it("lists changed catalogs, templates and models", async () => {
    const facts = (context: number) =>
      `apiVersion: planloom/v1\nkind: Models\nmodels: { ours/small: { context: ${context} } }\n`
    await writeFile(
      join(cwd, "planloom.yaml"),
      "apiVersion: planloom/v1\nkind: Project\nmodel_facts: [models.yaml]\n",
    )
    await writeFile(join(cwd, "models.yaml"), facts(8192))
    await say("run", "log")
    const { run } = await newest()
    expect((await say("runs", "migrate", run)).stdout).not.toContain("changed files")
    await writeFile(join(cwd, "models.yaml"), facts(4096))
    expect((await say("runs", "migrate", run)).stdout).toContain("changed files: models.yaml")
    const migration = JSON.parse((await say("runs", "migrate", run, "--json")).stdout)
    expect(migration).toMatchObject({ changes: [], files: ["models.yaml"] })
  })

  it("runs a stage with changed examples again", async () => {
    await writeFile(
      join(cwd, "workflows/echoes.yaml"),
      `apiVersion: planloom/v1
kind: Workflow
name: echoes
use: { plugins: [../plugin.ts] }
stages: [{ id: think, uses: think, examples: { file: shown.yaml, user: tea }, with: { about: tea } }]
outputs: { said: "\${{ stages.think.output.text }}" }
`,
    )
    const shown = (text: string) =>
      `apiVersion: planloom/v1\nkind: Examples\nexamples: [{ inputs: {}, output: { text: ${text} } }]\n`
    await writeFile(join(cwd, "workflows/shown.yaml"), shown("tea"))
    const first = await say("run", "echoes")
    expect(first, first.stderr).toMatchObject({ code: 0 })
    const { run } = await newest()
    await writeFile(join(cwd, "workflows/shown.yaml"), shown("coffee"))
    expect(JSON.parse((await say("runs", "migrate", run, "--json")).stdout)).toMatchObject({
      changes: [{ stage: "think", parts: ["examples"], invalidates: true }],
      steps: { valid: 0, again: ["think/mechanical:1"] },
    })
  })
})

describe("a store that came with a folder", () => {
  it("has no trusted folder for a file outside of it, while it is untrusted itself", async () => {
    await say("run", join(cwd, "workflows/log.yaml"))
    const { run } = await newest()
    const clone = await mkdtemp(join(tmpdir(), "planloom-clone-"))
    folders.push(clone)
    await cp(join(cwd, ".planloom"), join(clone, ".planloom"), { recursive: true })
    await writeFile(join(clone, "planloom.yaml"), "apiVersion: planloom/v1\nkind: Project\n")
    const commands = [["replay"], ["reset", "--from", "last"], ["fork", "--from", "last"]]
    for (const [command, ...flags] of commands) {
      const refused = await planloom(["runs", command!, run, ...flags], { cwd: clone })
      expect(refused, refused.stderr).toMatchObject({ code: 1, stdout: "" })
      expect(refused.stderr).toContain("is code of a folder that an imported run names")
    }
    const trusted = await planloom(["runs", "replay", run, "--trust"], { cwd: clone })
    expect(trusted.stderr).toContain("same result")
  })
})

describe("planloom runs export and import", () => {
  it("read a run in another project, and export no text with --redact", async () => {
    await say("run", "log", "-i", "topic=a secret matter")
    const { run } = await newest()
    const file = join(cwd, "run.json")
    await say("runs", "export", run, "--out", file)
    await rm(join(cwd, ".planloom"), { recursive: true })
    expect((await say("runs", "show", file)).stdout).toContain("succeeded")
    expect(lines(await say("runs", "events", file))[0]).toMatchObject({ type: "RunStarted", run })
    const untrusted = await say("runs", "replay", file)
    expect(untrusted).toMatchObject({ code: 1 })
    expect(untrusted.stderr).toContain("is code of a folder that an imported run names")
    expect((await say("runs", "replay", file, "--trust")).stderr).toContain("same result")
    expect((await say("runs", "import", file)).code).toBe(0)
    // The folder is trusted, and the record of a stranger could name it.
    for (const command of ["reset", "fork"]) {
      const refused = await say("runs", command, run, "--from", "last", "-q")
      expect(refused).toMatchObject({ code: 1, stdout: "" })
      expect(refused.stderr).toContain("is code of a folder that an imported run names")
    }
    const migrating = await say("runs", "migrate", run)
    expect(migrating.stderr).toContain("is code of a folder that an imported run names")
    expect((await say("runs", "fork", run, "--from", "last", "-q", "--trust")).code).toBe(0)
    const fork = await newest()
    expect(fork.run).not.toBe(run)
    expect((await say("runs", "reset", fork.run, "--from", "last", "-q")).code).toBe(1)
    expect((await say("runs", "import", file)).stderr).toContain("exists already")
    expect((await say("runs", "reset", run, "--from", "last", "-q", "--trust")).stdout).toBe(
      "a secret matter plain\n",
    )
    const redacted = (await say("runs", "export", run, "--redact")).stdout
    expect(redacted).not.toContain("secret matter")
    expect(redacted).toContain("text of 15 characters")
    await writeFile(file, redacted)
    expect((await say("runs", "show", file)).stdout).toContain("work[1]/right")
    expect((await say("runs", "replay", file)).stderr).toContain("redacted run cannot be replayed")
  })

  it("reject a file that is not a run with the reason", async () => {
    const file = join(cwd, "run.json")
    const wrongs: ReadonlyArray<readonly [text: string, why: string]> = [
      ["hello", "it is not JSON"],
      ['{ "format": "planloom/ru', "it may have been truncated"],
      ['{ "name": "other" }', "is not a run exported by planloom"],
      ['{ "format": "planloom/run/v9" }', "of a newer planloom"],
      ['{ "format": "planloom/run/v1", "record": {} }', "is damaged"],
    ]
    for (const [text, why] of wrongs) {
      await writeFile(file, text)
      const said = await say("runs", "import", file)
      expect(said).toMatchObject({ code: 1, stdout: "" })
      expect(said.stderr).toContain(why)
    }
  })
})

describe("planloom runs list", () => {
  it("finds runs by start time and failure class", async () => {
    await breaking("first")
    await say("run", "log")
    await breaking()
    await say("run", "log")
    const count = async (...args: ReadonlyArray<string>) =>
      (JSON.parse((await say("runs", "list", "--json", ...args)).stdout) as Array<unknown>).length
    expect(await count("--failed-with", "unavailable")).toBe(1)
    expect(await count("--failed-with", "timeout")).toBe(0)
    expect(await count("--since", "1h")).toBe(2)
    expect(await count("--before", "1h")).toBe(0)
    expect(await count("--before", "2999-01-01", "--limit", "1")).toBe(1)
    const wrong = await say("runs", "list", "--since", "yesterday")
    expect(wrong).toMatchObject({ code: 2 })
    expect(wrong.stderr).toContain("2026-03-01")
  })
})

describe("the keep policy of a project", () => {
  it("is applied after each run", async () => {
    await writeFile(
      join(cwd, "planloom.yaml"),
      "apiVersion: planloom/v1\nkind: Project\nruns: { keep: { age: 30d, count: 2 } }\n",
    )
    for (const topic of ["a", "b", "c"]) await say("run", "log", "-i", `topic=${topic}`)
    const kept = JSON.parse((await say("runs", "list", "--json")).stdout) as Array<{
      inputs: { topic: string }
    }>
    expect(kept.map(({ inputs }) => inputs.topic)).toEqual(["c", "b"])
  })
})

describe("an expired question", () => {
  it("is shown as expired, rejects an answer, and the run resumes with its default", async () => {
    await writeFile(
      join(cwd, "workflows/late.yaml"),
      `apiVersion: planloom/v1
kind: Workflow
name: late
use: { plugins: ["@planloom/stages"] }
stages: [{ id: ask, uses: approve, with: { message: Now?, expires: 1ms, default: false } }]
outputs: { approved: "\${{ stages.ask.output.approved }}" }
`,
    )
    expect((await say("run", "late")).code).toBe(4)
    const { run } = await newest()
    const command = `planloom runs resume ${run}`
    expect((await say("runs", "show", run)).stdout).toContain(`resume: ${command}`)
    const refused = await say("runs", "answer", run, "--yes")
    expect(refused).toMatchObject({ code: 1, stdout: "" })
    expect(refused.stderr).toContain("the question of this run has expired")
    expect(refused.stderr).toContain(command)
    expect(await say("runs", "resume", run, "-q")).toMatchObject({
      code: 0,
      stdout: "approved\nfalse\n",
    })
  })
})

describe("personal inputs", () => {
  it("are not recorded and must be passed again", async () => {
    const path = join(cwd, "workflows/log.yaml")
    await writeFile(
      path,
      workflow.replace(
        "topic: { type: string, default: tea }",
        "topic: { type: string, personal: true, pattern: ^ann }",
      ),
    )
    await breaking("last")
    await say("run", "log", "-i", "topic=ann@example.org")
    await done()
    const { run } = await newest()
    expect((await say("runs", "export", run)).stdout).not.toContain("ann@example.org")
    const expectUnrecorded = async () => {
      for (const file of ["runs.db", "runs.db-wal"]) {
        const text = await readFile(join(cwd, ".planloom", file), "latin1").catch(() => "")
        expect(text).not.toContain("ann@example.org")
      }
    }
    await expectUnrecorded()
    await breaking()
    expect(await say("runs", "migrate", run)).toMatchObject({ code: 0 })
    const missing = await say("runs", "reset", run)
    expect(missing).toMatchObject({ code: 2 })
    expect(missing.stderr).toContain('pass them again: "topic"')
    const given = ["-i", "topic=ann@example.org", "-q"]
    const again = await say("runs", "reset", run, ...given, "--by", "eve")
    expect(again, again.stderr).toMatchObject({ code: 0, stdout: "ann@example.org plain\n" })
    expect(await done()).toEqual(["last", "tidy~2"])
    expect((await say("runs", "show", run)).stdout).toContain("1 time (by eve)")
    const bare = await say("runs", "replay", run)
    expect(bare).toMatchObject({ code: 2 })
    expect(bare.stderr).toContain("--input topic=…")
    const other = await say("runs", "replay", run, "-i", "topic=anna@example.org")
    expect(other).toMatchObject({ code: 1 })
    expect(other.stderr).toContain('different inputs: "topic" differ from those of the record')
    const same = await say("runs", "replay", run, "-i", "topic=ann@example.org")
    expect(same, same.stderr).toMatchObject({ code: 0 })
    expect(same.stderr).toContain("same result: succeeded")
    const fork = await say("runs", "fork", run, "--from", "last", ...given)
    expect(fork, fork.stderr).toMatchObject({ code: 0, stdout: "ann@example.org plain\n" })
    await expectUnrecorded()
  })

  it("are passed with an answer, which is recorded even if they are missing", async () => {
    await writeFile(
      join(cwd, "workflows/ask.yaml"),
      `apiVersion: planloom/v1
kind: Workflow
name: ask
use: { plugins: ["@planloom/stages", ../log.ts] }
inputs: { topic: { type: string, personal: true } }
stages:
  - { id: first, uses: approve, with: { message: May it go on? } }
  - { id: second, uses: approve, with: { message: "Really?", show: "\${{ inputs.topic }}" } }
  - { id: last, uses: log, with: { say: "\${{ inputs.topic }}" } }
outputs: { said: "\${{ stages.last.output }}" }
`,
    )
    const asked = await say("run", "ask", "-i", "topic=ann@example.org")
    const { run } = await newest()
    expect(asked.stderr).toContain(`planloom runs answer ${run} --input topic=… --yes`)
    expect((await say("runs", "show", run)).stdout).not.toContain("0 ms ·")
    const kept = await say("runs", "answer", run, "--yes")
    expect(kept).toMatchObject({ code: 2 })
    expect(kept.stderr).toContain("answered: first; the run was not resumed")
    expect(kept.stderr).toContain(`planloom runs resume ${run} --input topic=…`)
    const given = ["-i", "topic=ann@example.org"]
    expect(await say("runs", "resume", run, ...given, "--by", "dora")).toMatchObject({ code: 4 })
    const last = await say("runs", "answer", run, "--yes", "-q", ...given, "--by", "bob")
    expect(last, last.stderr).toMatchObject({ code: 0, stdout: "ann@example.org\n" })
    expect((await say("runs", "show", run)).stdout).toContain("2 times (by dora, bob)")
    const shown = JSON.parse((await say("runs", "show", run, "--json")).stdout)
    expect(shown.resumes).toMatchObject([
      { epoch: 2, by: "dora" },
      { epoch: 3, by: "bob" },
    ])
  })

  it("are taken only with their value, and no other input is, before anything is recorded", async () => {
    await writeFile(
      join(cwd, "workflows/pay.yaml"),
      `apiVersion: planloom/v1
kind: Workflow
name: pay
use: { plugins: ["@planloom/stages", ../log.ts] }
user: { type: object, required: [id], properties: { id: { type: string } } }
inputs: { to: { type: string }, amount: { type: integer }, card: { type: string, personal: true } }
stages:
  - { id: card, uses: log, with: { say: "\${{ inputs.card }}" } }
  - { id: ok, uses: approve, with: { message: "Pay \${{ string(inputs.amount) }} to \${{ inputs.to }}?" } }
  - { id: paid, uses: log, with: { say: "\${{ string(inputs.amount) }} to \${{ inputs.to }}" } }
outputs: { paid: "\${{ stages.paid.output }}" }
`,
    )
    const input = (...values: ReadonlyArray<string>) => values.flatMap((value) => ["-i", value])
    const user = ["--user", '{"id":"u_1"}']
    await say("run", "pay", ...input("to=ann", "amount=10", "card=4711"), ...user)
    const { run } = await newest()
    const before = (await say("runs", "export", run)).stdout
    const refused = async (names: ReadonlyArray<string>, ...args: ReadonlyArray<string>) => {
      const outcome = await say(...args, ...(args.includes("--user") ? [] : user))
      expect(outcome, outcome.stderr).toMatchObject({ code: 2, stdout: "" })
      for (const name of names) expect(outcome.stderr).toContain(name)
      expect((await say("runs", "export", run)).stdout).toBe(before)
    }
    const other = input("to=mallory", "amount=99999", "card=4711")
    await refused(
      ['"to" is recorded', '"amount" is recorded'],
      "runs",
      "answer",
      run,
      "--yes",
      ...other,
    )
    await refused(
      ['"card" is not the value'],
      "runs",
      "answer",
      run,
      "--yes",
      ...input("card=4712"),
    )
    await refused(['no input "nope"'], "runs", "answer", run, "--yes", ...input("nope=1"))
    await refused(
      ["--no-resume"],
      "runs",
      "answer",
      run,
      "--yes",
      "--no-resume",
      ...input("card=4711"),
    )
    await refused(["another user"], "runs", "answer", run, "--yes", "--user", '{"id":"u_2"}')
    await refused(['"to" is recorded'], "runs", "resume", run, ...other)
    await refused(['"card" is not the value'], "runs", "resume", run, ...input("card=4712"))
    await refused(['"card" is not the value'], "runs", "cancel", run, ...input("card=4712"))
    await refused(
      ['"card" is not the value'],
      "runs",
      "reset",
      run,
      "--from",
      "ok",
      ...input("card=4712"),
    )
    const fork = await say("runs", "fork", run, "--from", "ok", ...input("card=4712"), ...user)
    expect(fork).toMatchObject({ code: 1 })
    expect(fork.stderr).toContain('reads the input "card", which has changed')

    const path = join(cwd, "workflows/pay.yaml")
    const text = await readFile(path, "utf8")
    await writeFile(path, text.replace(", personal: true", ""))
    const shown = await say("runs", "migrate", run, "--apply")
    expect(shown).toMatchObject({ code: 1 })
    expect(shown.stderr).toContain('"card", which is not personal in the current workflow')
    await writeFile(path, text)

    // The digest travels with an export, and is erased with the user.
    await writeFile(join(cwd, "run.json"), before)
    await say("runs", "cancel", run, ...input("card=4711"), ...user)
    const there = join(cwd, "there")
    await cp(join(cwd, "workflows"), join(there, "workflows"), { recursive: true })
    for (const file of ["log.ts", "plugin.ts"]) await cp(join(cwd, file), join(there, file))
    await trusting(there)
    const sayThere = (...args: ReadonlyArray<string>) => planloom(args, { cwd: there })
    expect(await sayThere("runs", "import", "../run.json")).toMatchObject({ code: 0 })
    const wrong = await sayThere(
      "--trust",
      "runs",
      "answer",
      run,
      "--yes",
      ...input("card=4712"),
      ...user,
    )
    expect(wrong).toMatchObject({ code: 2 })
    expect(wrong.stderr).toContain('"card" is not the value')
    const erased = await say("users", "forget", "u_1")
    expect(erased.stderr).toContain("the digests of personal inputs in 1 run")
    const resumed = await say("runs", "resume", run, ...input("card=4711"), ...user)
    expect(resumed).toMatchObject({ code: 2 })
    expect(resumed.stderr).toContain('"card" was erased')
    const paid = await sayThere(
      "--trust",
      "runs",
      "answer",
      run,
      "--yes",
      "-q",
      ...input("card=4711"),
      ...user,
    )
    expect(paid, paid.stderr).toMatchObject({ code: 0, stdout: "10 to ann\n" })
  }, 120_000)
})
