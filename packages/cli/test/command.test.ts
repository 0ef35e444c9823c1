/** The command end to end: exit codes, what goes where, and that no mistake of a user shows a stack. */
import { mkdtemp, readFile, readdir, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { RunEvent } from "@planloom/plugin"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { resultOf } from "@planloom/core"
import { fixture, lines, planloom, sourceBin, trusting } from "./planloom.ts"

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "planloom-cli-"))
  await trusting(folder)
})

afterAll(() => rm(folder, { recursive: true, force: true }))

describe("help and mistakes on the command line", () => {
  it("lists every command, on standard output, and ends well", async () => {
    const said = await planloom(["--help"])
    expect(said).toMatchObject({ code: 0, stderr: "" })
    for (const name of [
      "init",
      "check",
      "fmt",
      "explain",
      "schema",
      "types",
      "plan",
      "run",
      "test",
      "list",
      "tools",
      "graph",
      "doctor",
    ]) {
      expect(said.stdout).toMatch(new RegExp(`^  ${name} +\\S`, "m"))
    }
  })

  it("starts from source, too, as it does in the workspace", async () => {
    const said = await planloom(["run", "ends", "-i", "how=well"], { bin: sourceBin })
    expect(said).toEqual({ code: 0, stdout: "well\n", stderr: "" })
  })

  it.each([
    [["chekc"], 'there is no command "chekc"', "did you mean check?"],
    [["run", "x", "--inpt", "a=1"], "there is no flag --inpt", "did you mean --input?"],
    [["run"], "the argument <workflow> is missing", "usage: planloom run"],
    [["check", "--format", "jsn"], '--format cannot be "jsn"', 'did you mean "json"?'],
    [["list", "stages", "busy", "more"], "too many arguments: more", "usage: planloom list"],
    [["run", "busy", "--set", "oops"], "--set wants path=value", "--set defaults.timeout=90s"],
    [["explain", "PL9999"], "there is no diagnostic PL9999", "there is: PL0001"],
  ])("says what is wrong with %j and ends with 2", async (args, message, help) => {
    const said = await planloom(args)
    expect(said.code, said.stderr).toBe(2)
    expect(said.stdout).toBe("")
    expect(said.stderr).toContain(message)
    expect(said.stderr).toContain(help)
    expect(said.stderr).not.toMatch(/^\s+at /m)
  })

  it("colours what it prints only where that is wanted", async () => {
    const colored = await planloom(["--help"], { env: { FORCE_COLOR: "1" } })
    expect(colored.stdout).toContain("\u001b[1mUsage\u001b[22m")
    const plain = await planloom(["--help"], { env: { FORCE_COLOR: "1", NO_COLOR: "1" } })
    expect(plain.stdout).not.toContain("\u001b")
  })

  it("prints completions that know the commands", async () => {
    const said = await planloom(["--completions", "zsh"])
    expect(said.code).toBe(0)
    expect(said.stdout).toContain("#compdef planloom")
    expect(said.stdout).toContain("--input")
  })
})

describe("files that are not what they should be", () => {
  it("a missing file, a folder, an empty, a huge and a binary file are told apart, without a stack", async () => {
    await writeFile(join(folder, "empty.yaml"), "")
    await writeFile(join(folder, "huge.yaml"), "a".repeat(2 * 1024 * 1024))
    await writeFile(join(folder, "binary.yaml"), Buffer.from([0xff, 0xfe, 0x00, 0x80]))
    const expected = {
      "missing.yaml": /there is no file/,
      ".": /is a folder/,
      "empty.yaml": /the file is empty/,
      "huge.yaml": /at most 1 MiB is read/,
      "binary.yaml": /not UTF-8/,
    }
    for (const [path, message] of Object.entries(expected)) {
      const said = await planloom(["run", path], { cwd: folder })
      expect(said.code, path).toBe(1)
      expect(said.stderr).toMatch(message)
      expect(said.stderr).not.toMatch(/^\s+at /m)
    }
  })

  it("a mistyped name of a workflow is met with the one that is there", async () => {
    const said = await planloom(["run", "bsy"])
    expect(said).toMatchObject({ code: 1, stdout: "" })
    expect(said.stderr).toContain("did you mean workflows/busy.yaml?")
  })
})

describe("planloom check", () => {
  it("is silent on standard output when all is well", async () => {
    const said = await planloom(["check"])
    expect(said).toMatchObject({ code: 0, stdout: "" })
    expect(said.stderr).toMatch(/no problems in \d+ files/)
  })

  it("reads standard input and points at the place", async () => {
    const good = await readFile(join(import.meta.dirname, "fixture/workflows/ends.yaml"), "utf8")
    const input = good
      .replace("../plugin.ts", "./plugin.ts")
      .replace('inputs.how == "ask"', 'inputs.hw == "ask"')
    const said = await planloom(["check", "-"], { input })
    expect(said.code).toBe(1)
    expect(said.stdout).toMatch(/^<stdin>:9:\d+ error PL1201 /)
    expect(said.stdout).toContain('did you mean "how"?')
  })

  it("speaks to programs: JSON, SARIF and GitHub", async () => {
    await writeFile(join(folder, "wrong.yaml"), "apiVersion: planloom/v1\nkind: Workflow\nnme: x\n")
    const json = await planloom(["check", join(folder, "wrong.yaml"), "--format", "json"])
    expect(json.code).toBe(1)
    const found = JSON.parse(json.stdout) as ReadonlyArray<{
      readonly code: string
      readonly start: { readonly line: number }
    }>
    expect(found.length).toBeGreaterThan(0)
    const sarif = await planloom(["check", join(folder, "wrong.yaml"), "--format", "sarif"])
    expect((JSON.parse(sarif.stdout) as { readonly version: string }).version).toBe("2.1.0")
    const github = await planloom(["check", join(folder, "wrong.yaml"), "--format", "github"])
    expect(github.stdout).toMatch(/^::error file=.*wrong\.yaml,line=3/m)
  })
})

describe("planloom run", () => {
  it("prints the output and nothing else on a pipe", async () => {
    const said = await planloom(["run", "ends", "--input", "how=well"])
    expect(said).toEqual({ code: 0, stdout: "well\n", stderr: "" })
  })

  it("says on standard error what was done without a model", async () => {
    const said = await planloom(["run", "quick", "-i", "question=why"])
    expect(said).toMatchObject({ code: 0, stdout: "why\n" })
    expect(said.stderr).toMatch(
      /degraded: 1 stage worked without a model \(thought: \w+\/\w+: auth: no key/,
    )
  })

  it("lists the inputs that are missing, with types and descriptions", async () => {
    const said = await planloom(["run", "ends"])
    expect(said).toMatchObject({ code: 2, stdout: "" })
    expect(said.stderr).toContain('how  one of "ask", "fail", "approve", "well". How the run ends')
  })

  it("a failure shows its class, its stage, its message and what to do", async () => {
    const said = await planloom(["run", "ends", "-i", "how=fail"])
    expect(said).toMatchObject({ code: 3, stdout: "" })
    expect(said.stderr).toContain("the run failed in service: rate_limit")
    expect(said.stderr).toContain("slow down, please")
    expect(said.stderr).toContain("help: ")
  })

  it("a question ends with 4 and shows its choices", async () => {
    const said = await planloom(["run", "ends", "-i", "how=ask"])
    expect(said).toMatchObject({ code: 4, stdout: "" })
    expect(said.stderr).toMatch(/Which region do you mean\?\n +1 {2}north\n +2 {2}south/)
  })

  it("a tool that needs approval is not run on a pipe, unless --yes says so", async () => {
    const waiting = await planloom(["run", "ends", "-i", "how=approve"])
    expect(waiting.code).toBe(4)
    expect(waiting.stderr).toMatch(/May door run lock_door\?[^]*planloom runs answer \S+ --yes/)
    const unrecorded = await planloom(["run", "ends", "-i", "how=approve", "--no-store"])
    expect(unrecorded.code).toBe(4)
    expect(unrecorded.stderr).toContain("--yes")
    expect(await planloom(["run", "ends", "-i", "how=approve", "--yes"])).toMatchObject({ code: 0 })
  })

  it("--json is one event per line and the result last, and the result is the fold of the events", async () => {
    const said = await planloom(["run", "quick", "-i", "question=why", "--json"])
    expect(said).toMatchObject({ code: 0, stderr: "" })
    const all = lines(said)
    const { type, ...result } = all.at(-1)!
    expect(type).toBe("Result")
    const events = all.slice(0, -1) as unknown as ReadonlyArray<RunEvent>
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index))
    expect(result).toEqual(JSON.parse(JSON.stringify(resultOf(events))))
    expect(result).toMatchObject({ status: "succeeded", outputs: { answer: "why" } })
  })

  it("--json tells a program what is wrong with the files, too", async () => {
    await writeFile(join(folder, "wrong.yaml"), "kind: Workflow\n")
    const said = await planloom(["run", join(folder, "wrong.yaml"), "--json"])
    expect(said.code).toBe(1)
    expect(lines(said).at(-1)).toMatchObject({ type: "Invalid" })
  })

  it("Ctrl-C cancels the run, lets finally finish, and ends with 130", async () => {
    const said = await planloom(["run", "slow", "--json"], { interruptAt: /"Progressed"/ })
    expect(said.code).toBe(130)
    const all = lines(said)
    expect(all.at(-1)).toMatchObject({
      type: "Result",
      status: "cancelled",
      stages: { long: { outcome: "cancelled" }, goodbye: { outcome: "success" } },
    })
    expect(all.map(({ type }) => type)).toContain("RunCancelled")
  })

  it("stays while a stage waits for something Node knows nothing of, until Ctrl-C", async () => {
    const said = await planloom(["run", "hang", "--json"], { interruptAt: /StageStarted/ })
    expect(said.code).toBe(130)
    expect(lines(said).at(-1)).toMatchObject({ type: "Result", status: "cancelled" })
  })

  it("keeps standard output for results, whatever a plugin writes to the console", async () => {
    const said = await planloom(["run", "shout"])
    expect(said).toEqual({ code: 0, stdout: "done\n", stderr: "a plugin's own words\n" })
  })

  it("shows the outputs when they cannot be written, says why, and ends with 3", async () => {
    await writeFile(join(folder, "taken"), "")
    const said = await planloom(["run", "ends", "-i", "how=well", "--out", join(folder, "taken")])
    expect(said).toMatchObject({ code: 3, stdout: "well\n" })
    expect(said.stderr).toMatch(/the outputs cannot be written to .*taken.*\n +help: name another/)
  })

  it("--out keeps every output as a file", async () => {
    const out = join(folder, "out")
    await planloom(["run", "ends", "-i", "how=well", "--out", out])
    expect(await readdir(out)).toEqual(["how.md"])
    expect(await readFile(join(out, "how.md"), "utf8")).toBe("well\n")
  })

  it("--set changes the workflow for this run", async () => {
    const said = await planloom([
      "run",
      "ends",
      "-i",
      "how=well",
      "--set",
      "outputs.how.value=other",
    ])
    expect(said).toMatchObject({ code: 0, stdout: "other\n" })
  })

  it.each([
    [
      "models.writr.try",
      '["echo/other"]',
      /models has no "writr"\n[^]*help: did you mean "writer"/,
    ],
    [
      "models.writer.tri",
      '["echo/other"]',
      /unknown key "tri"[^\n]*\n[^]*help: did you mean "try"/,
    ],
    ["stages.drft.model", "writer", /stages has no "drft"\n[^]*help: did you mean "draft"/],
    [
      "policies.budgett.tokens",
      "5",
      /unknown key "budgett"[^\n]*\n[^]*help: did you mean "budget"/,
    ],
  ])(
    "--set %s, which names nothing, is an error that says what was meant",
    async (path, value, why) => {
      const file = join(folder, "set.yaml")
      await writeFile(
        file,
        `apiVersion: planloom/v1
kind: Workflow
name: set
use: { plugins: ["@planloom/stages", ${JSON.stringify(join(fixture, "plugin.ts"))}] }
models: { writer: echo/any }
policies: { budget: { model_calls: 5 } }
stages: [{ id: draft, uses: generate, model: writer, with: { task: write } }]
outputs: { text: "\${{ stages.draft.output }}" }
`,
      )
      const said = await planloom(["run", file, "--set", `${path}=${value}`])
      expect(said).toMatchObject({ code: 1, stdout: "" })
      expect(said.stderr).toMatch(why)
    },
  )
})

describe("planloom test", () => {
  it("shows the tests that had ended when it is cancelled, and that they are not all", async () => {
    const workflow = join(folder, "pause.yaml")
    await writeFile(
      workflow,
      `apiVersion: planloom/v1
kind: Workflow
name: pause
use: { plugins: [${JSON.stringify(join(fixture, "plugin.ts"))}] }
inputs: { long: { type: boolean } }
stages:
  - { id: words, if: inputs.long, uses: shout }
  - { id: waits, if: inputs.long, uses: hang }
`,
    )
    await writeFile(
      join(folder, "pause.test.yaml"),
      `apiVersion: planloom/v1
kind: WorkflowTest
workflow: pause.yaml
tests:
  - { name: is short, given: { inputs: { long: false } }, expect: { status: succeeded } }
  - { name: is long, given: { inputs: { long: true } }, expect: { status: succeeded } }
`,
    )
    const args = ["test", join(folder, "pause.test.yaml")]
    const said = await planloom(args, { interruptAt: /a plugin's own words/ })
    expect(said.code).toBe(130)
    expect(said.stdout).toMatch(/✓ is short \d+ ms\n\n1 passed, 0 failed/)
    expect(said.stderr).toContain("cancelled: these are the tests that had ended")
    const first = await planloom([...args, "--filter", "long", "--reporter", "junit"], {
      interruptAt: /a plugin's own words/,
    })
    expect(first).toMatchObject({ code: 130, stdout: "" })
    expect(first.stderr).toContain("cancelled before a test had ended")
    const workflowItself = await planloom(["test", workflow])
    expect(workflowItself.code).toBe(1)
    expect(workflowItself.stderr).toContain(`planloom test ${workflow} --examples`)
  })
})

describe("looking around", () => {
  it("plan shows order, loops and the most a run can take, and asks no model", async () => {
    const said = await planloom(["plan", "busy", "-i", "question=why", "--json"])
    expect(said).toMatchObject({ code: 0, stderr: "" })
    const planned = JSON.parse(said.stdout) as {
      readonly stages: ReadonlyArray<{
        readonly path: string
        readonly attempts: number
        readonly occurrences: number
      }>
      readonly worst: { readonly modelCalls: number }
    }
    const stage = (path: string) => planned.stages.find((one) => one.path === path)
    expect(stage("flaky_service")).toMatchObject({ attempts: 4 })
    expect(stage("again/turn")).toMatchObject({ occurrences: 4 })
    expect(stage("each")).toMatchObject({ occurrences: 6 })
    expect(planned.worst.modelCalls).toBe(3)
  })

  it("types, graph, list and tools answer from the same workflow", async () => {
    const types = await planloom(["types", "ends"])
    expect(types.stdout).toContain('readonly how: "ask" | "fail" | "approve" | "well"')
    const graph = await planloom(["graph", "gate", "--format", "mermaid"])
    expect(graph.stdout).toContain('s_c__y -. "rerun ≤ 2" .-> s_c__x')
    const stages = await planloom(["list", "stages", "busy"])
    expect(stages.stdout).toContain("think model/mechanical")
    const docs = await planloom(["tools", "docs", "lock_door", "ends"])
    expect(docs.stdout).toContain("Asks a person before it runs.")
    const found = await planloom(["tools", "search", "lock a door", "ends", "--json"])
    expect(JSON.parse(found.stdout)).toMatchObject([{ id: "lock_door" }])
  })

  it("doctor names what is missing, never a value", async () => {
    const said = await planloom(["doctor", "--json"], { env: { ECHO_API_KEY: "s3cret" } })
    expect(said.code, said.stdout).toBe(0)
    const findings = JSON.parse(said.stdout) as ReadonlyArray<{
      readonly what: string
      readonly said: string
    }>
    expect(findings.find(({ what }) => what === "Secret ECHO_API_KEY")).toMatchObject({
      said: "is set",
    })
    expect(findings.find(({ what }) => what === "Provider echo")).toMatchObject({
      said: "can answer",
    })
    expect(said.stdout).not.toContain("s3cret")
  })
})
