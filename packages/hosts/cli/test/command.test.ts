/** The command end to end: exit codes, what goes where, and that no mistake of a user shows a stack. */
import { execFileSync } from "node:child_process"
import { mkdtemp, readFile, readdir, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { RunEvent } from "@planloom/plugin/effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { resultOf } from "@planloom/core"
import { fixture, lines, planloom, sourceBin, trusting } from "./planloom.ts"

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "planloom-cli-"))
  await trusting(folder)
})

afterAll(() => rm(folder, { recursive: true, force: true }))

describe("the command line", () => {
  it("prints help with every command on standard output and exits with 0", async () => {
    const said = await planloom(["--help"])
    expect(said).toMatchObject({ code: 0, stderr: "" })
    for (const name of [
      "init",
      "check",
      "fmt",
      "explain",
      "schema",
      "skill",
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

  it("runs from source in the workspace", async () => {
    const said = await planloom(["run", "ends", "-i", "how=well"], { bin: sourceBin })
    expect(said).toEqual({ code: 0, stdout: "well\n", stderr: "" })
  })

  it.each([
    [["chekc"], 'unknown command "chekc"', "did you mean check?"],
    [["run", "x", "--inpt", "a=1"], "unknown flag --inpt", "did you mean --input?"],
    [["run"], "the argument <workflow> is missing", "usage: planloom run"],
    [["list"], "the argument <what> is missing", "One of: workflows, stages"],
    [["check", "--format", "jsn"], '--format cannot be "jsn"', 'did you mean "json"?'],
    [["list", "stages", "busy", "more"], "too many arguments: more", "usage: planloom list"],
    [["run", "busy", "--set", "oops"], "--set expects path=value", "--set defaults.timeout=90s"],
    [["explain", "PL9999"], "there is no diagnostic PL9999", "available: PL0001"],
  ])("rejects %j with a message and exit code 2", async (args, message, help) => {
    const said = await planloom(args)
    expect(said.code, said.stderr).toBe(2)
    expect(said.stdout).toBe("")
    expect(said.stderr).toContain(message)
    expect(said.stderr).toContain(help)
    expect(said.stderr).not.toMatch(/^\s+at /m)
  })

  it("colors its output only on a terminal or with FORCE_COLOR", async () => {
    const colored = await planloom(["--help"], { env: { FORCE_COLOR: "1" } })
    expect(colored.stdout).toContain("\u001b[1mUsage\u001b[22m")
    const plain = await planloom(["--help"], { env: { FORCE_COLOR: "1", NO_COLOR: "1" } })
    expect(plain.stdout).not.toContain("\u001b")
  })

  it("prints completions with all commands", async () => {
    const said = await planloom(["--completions", "zsh"])
    expect(said.code).toBe(0)
    expect(said.stdout).toContain("#compdef planloom")
    expect(said.stdout).toContain("--input")
    expect(said.stdout).toContain(
      "':A workflow file, or the name of one in workflows/:_planloom_workflows'",
    )
    const fish = await planloom(["--completions", "fish"])
    expect(fish.stdout).toContain("-a '(for file in workflows/*.yaml;")
    expect(fish.stdout).not.toContain("'__fish_seen_subcommand_from run' -f\n")
  })

  it("completes workflow names, codes, files and flags in bash", async () => {
    const script = join(folder, "completions.bash")
    await writeFile(script, (await planloom(["--completions", "bash"])).stdout)
    const completed = (...words: ReadonlyArray<string>) =>
      execFileSync(
        "bash",
        [
          "-c",
          String.raw`source "$0"; planloom() { echo '{ "id": "PL0001" }, { "id": "PL4001" }'; }
COMP_WORDS=(planloom "$@"); COMP_CWORD=$#; COMP_LINE="planloom $*"; COMP_WORDBREAKS=" "
$(complete -p planloom | sed 's/.*-F \([^ ]*\).*/\1/') planloom
printf '%s\n' "${"$"}{COMPREPLY[@]}"`,
          script,
          ...words,
        ],
        { cwd: fixture, encoding: "utf8" },
      )
        .trim()
        .split("\n")
    expect(completed("run", "qu")).toEqual(["quick"])
    expect(completed("run", "workflows/qu")).toEqual(["workflows/quick.yaml"])
    expect(completed("run", "plug")).toEqual([""])
    expect(completed("run", "quick", "--inputs", "plug")).toEqual(["plugin.ts"])
    expect(completed("check", "workf")).toEqual(["workflows"])
    expect(completed("explain", "PL4")).toEqual(["PL4001"])
    expect(completed("check", "--format", "")).toContain("github")
  })
})

describe("a plugin in a folder whose package.json makes it CommonJS", () => {
  it.each(["export default 1\n", 'import { join } from "node:path"\nexport { join }\n'])(
    "is an error that says what to write: %s",
    async (code) => {
      const project = await mkdtemp(join(folder, "commonjs-"))
      await writeFile(join(project, "package.json"), '{ "type": "commonjs" }')
      await writeFile(join(project, "def.ts"), code)
      await writeFile(
        join(project, "w.yaml"),
        "apiVersion: planloom/v1\nkind: Workflow\nname: w\nuse: { plugins: [./def.ts] }\nstages: [{ id: a, uses: b }]\n",
      )
      const said = await planloom(["check", "w.yaml", "--trust"], { cwd: project })
      expect(said.code).toBe(1)
      expect(said.stdout).toContain(
        'PL4001 the plugin "./def.ts" cannot be loaded: the nearest package.json makes it CommonJS: write "type": "module" there',
      )
    },
  )
})

describe("an invalid workflow file", () => {
  it("has its own message if it is missing, a folder, empty, huge or binary", async () => {
    await writeFile(join(folder, "empty.yaml"), "")
    await writeFile(join(folder, "huge.yaml"), "a".repeat(2 * 1024 * 1024))
    await writeFile(join(folder, "binary.yaml"), Buffer.from([0xff, 0xfe, 0x00, 0x80]))
    const expected = {
      "missing.yaml": /file not found/,
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

  it("with a mistyped name gets a suggestion", async () => {
    const said = await planloom(["run", "bsy"])
    expect(said).toMatchObject({ code: 1, stdout: "" })
    expect(said.stderr).toContain("did you mean workflows/busy.yaml?")
  })
})

describe("planloom check", () => {
  it("prints nothing on standard output without diagnostics", async () => {
    const said = await planloom(["check"])
    expect(said).toMatchObject({ code: 0, stdout: "" })
    expect(said.stderr).toMatch(/no problems in \d+ files/)
  })

  it("reads standard input and reports locations in it", async () => {
    const good = await readFile(join(import.meta.dirname, "fixture/workflows/ends.yaml"), "utf8")
    const input = good
      .replace("../plugin.ts", "./plugin.ts")
      .replace('inputs.how == "ask"', 'inputs.hw == "ask"')
    const said = await planloom(["check", "-"], { input })
    expect(said.code).toBe(1)
    expect(said.stdout).toMatch(/^<stdin>:9:\d+ error PL1201 /)
    expect(said.stdout).toContain('did you mean "how"?')
  })

  it("formats diagnostics as JSON, SARIF and GitHub annotations", async () => {
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
  it("prints only the output on a pipe", async () => {
    const said = await planloom(["run", "ends", "--input", "how=well"])
    expect(said).toEqual({ code: 0, stdout: "well\n", stderr: "" })
  })

  it("reports stages without a model on standard error", async () => {
    const said = await planloom(["run", "quick", "-i", "question=why"])
    expect(said).toMatchObject({ code: 0, stdout: "why\n" })
    expect(said.stderr).toMatch(
      /degraded: 1 stage ran without a model \(thought: \w+\/\w+: auth: no key/,
    )
  })

  it("lists missing inputs with types and descriptions", async () => {
    const said = await planloom(["run", "ends"])
    expect(said).toMatchObject({ code: 2, stdout: "" })
    expect(said.stderr).toContain('how  one of "ask", "fail", "approve", "well". How the run ends')
  })

  it("reports a failure with class, stage, message and help", async () => {
    const said = await planloom(["run", "ends", "-i", "how=fail"])
    expect(said).toMatchObject({ code: 3, stdout: "" })
    expect(said.stderr).toContain("the run failed in service: rate_limit")
    expect(said.stderr).toContain("slow down, please")
    expect(said.stderr).toContain("help: ")
  })

  it("exits with 4 at a question and lists its options", async () => {
    const said = await planloom(["run", "ends", "-i", "how=ask"])
    expect(said).toMatchObject({ code: 4, stdout: "" })
    expect(said.stderr).toMatch(/Which region do you mean\?\n +1 {2}north\n +2 {2}south/)
  })

  it("does not run a tool that needs approval on a pipe, unless --yes is given", async () => {
    const waiting = await planloom(["run", "ends", "-i", "how=approve"])
    expect(waiting.code).toBe(4)
    expect(waiting.stderr).toMatch(/lock_door: do you approve\?[^]*planloom runs answer \S+ --yes/)
    const unrecorded = await planloom(["run", "ends", "-i", "how=approve", "--no-store"])
    expect(unrecorded.code).toBe(4)
    expect(unrecorded.stderr).toContain("--yes")
    expect(await planloom(["run", "ends", "-i", "how=approve", "--yes"])).toMatchObject({ code: 0 })
  })

  it("prints events and then the result as JSON lines with --json; the result is the fold of the events", async () => {
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

  it("prints diagnostics as JSON with --json", async () => {
    await writeFile(join(folder, "wrong.yaml"), "kind: Workflow\n")
    const said = await planloom(["run", join(folder, "wrong.yaml"), "--json"])
    expect(said.code).toBe(1)
    expect(lines(said).at(-1)).toMatchObject({ type: "Invalid" })
  })

  it("cancels the run at Ctrl-C, finishes `finally`, and exits with 130", async () => {
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

  it("keeps running while a stage waits without keeping Node's event loop alive, until Ctrl-C", async () => {
    const said = await planloom(["run", "hang", "--json"], { interruptAt: /StageStarted/ })
    expect(said.code).toBe(130)
    expect(lines(said).at(-1)).toMatchObject({ type: "Result", status: "cancelled" })
  })

  it("moves console output of plugins to standard error", async () => {
    const said = await planloom(["run", "shout"])
    expect(said).toEqual({ code: 0, stdout: "done\n", stderr: "a plugin's own words\n" })
  })

  it("prints outputs that cannot be written, reports the reason, and exits with 3", async () => {
    await writeFile(join(folder, "taken"), "")
    const said = await planloom(["run", "ends", "-i", "how=well", "--out", join(folder, "taken")])
    expect(said).toMatchObject({ code: 3, stdout: "well\n" })
    expect(said.stderr).toMatch(
      /the outputs cannot be written to .*taken.*\n +help: choose another/,
    )
  })

  it("writes every output to a file with --out", async () => {
    const out = join(folder, "out")
    await planloom(["run", "ends", "-i", "how=well", "--out", out])
    expect(await readdir(out)).toEqual(["how.md"])
    expect(await readFile(join(out, "how.md"), "utf8")).toBe("well\n")
  })

  it("changes a value of the workflow for one run with --set", async () => {
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
  it("reports the finished tests when it is cancelled, and that others did not run", async () => {
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
    expect(said.stderr).toContain("cancelled: the report contains only the tests that ended")
    const first = await planloom([...args, "--filter", "long", "--reporter", "junit"], {
      interruptAt: /a plugin's own words/,
    })
    expect(first).toMatchObject({ code: 130, stdout: "" })
    expect(first.stderr).toContain("cancelled before any test ended")
    const workflowItself = await planloom(["test", workflow])
    expect(workflowItself.code).toBe(1)
    expect(workflowItself.stderr).toContain(`planloom test ${workflow} --examples`)
  })
})

describe("commands that only read a workflow", () => {
  it("plan prints order, loops and the maximum of a run, without calling a model", async () => {
    const said = await planloom(["plan", "busy", "-i", "question=why", "--json"])
    expect(said).toMatchObject({ code: 0, stderr: "" })
    const planned = JSON.parse(said.stdout) as {
      readonly stages: ReadonlyArray<{
        readonly path: string
        readonly attempts: number
        readonly occurrences: number
      }>
      readonly worst: { readonly model_calls: { readonly at_most: number } }
    }
    const stage = (path: string) => planned.stages.find((one) => one.path === path)
    expect(stage("flaky_service")).toMatchObject({ attempts: 4 })
    expect(stage("again/turn")).toMatchObject({ occurrences: 4 })
    expect(stage("each")).toMatchObject({ occurrences: 6 })
    expect(planned.worst.model_calls.at_most).toBe(3)
  })

  it("types, graph, list and tools describe the same workflow", async () => {
    const types = await planloom(["types", "ends"])
    expect(types.stdout).toContain('readonly how: "ask" | "fail" | "approve" | "well"')
    const inferred = await writeFile(
      join(folder, "labels.yaml"),
      `apiVersion: planloom/v1
kind: Workflow
name: labels
use: { plugins: ["@planloom/stages"] }
inputs: { rows: { type: array, items: { type: object, required: [id], properties: { id: { type: integer } } } } }
stages: [{ id: say, uses: generate, with: { task: Say., context: "\${{ inputs.rows }}" } }]
outputs: { labels: "\${{ inputs.rows.map(r, {'id': r.id, 'odd': r.id > 1}) }}" }
`,
    ).then(() => planloom(["types", join(folder, "labels.yaml")]))
    expect(inferred.stdout).toContain(
      "labels: ReadonlyArray<{\n      readonly id: number\n      readonly odd: boolean\n    }>",
    )
    const graph = await planloom(["graph", "gate", "--format", "mermaid"])
    expect(graph.stdout).toContain('s_c__y -. "rerun ≤ 2" .-> s_c__x')
    const stages = await planloom(["list", "stages", "busy"])
    expect(stages.stdout).toContain("think model/mechanical")
    const docs = await planloom(["tools", "docs", "lock_door", "ends"])
    expect(docs.stdout).toContain("Requires approval before it runs.")
    const found = await planloom(["tools", "search", "lock a door", "ends", "--json"])
    expect(JSON.parse(found.stdout)).toMatchObject([{ id: "lock_door" }])
  })

  it("tools search uses the index of the workflow's plugin, and the words of its catalog", async () => {
    const header = (kind: string) => `apiVersion: planloom/v1\nkind: ${kind}\n`
    await writeFile(
      join(folder, "doors.yaml"),
      `${header("Catalog")}synonyms: [[gate, door]]
tools:
  - { name: open_door, summary: Opens it. }
  - { name: pay, summary: Pays a bill. }
`,
    )
    await writeFile(
      join(folder, "doors_flow.yaml"),
      `${header("Workflow")}name: doors
use: { plugins: ["@planloom/stages", "@planloom/retrieval"], files: [doors.yaml] }
stages: [{ id: one, uses: narrow, with: { question: open it } }]
`,
    )
    const search = ["tools", "search", "the gate", "doors_flow.yaml", "--json"]
    const found = await planloom(search, { cwd: folder })
    expect(found.stderr).toBe("")
    expect(JSON.parse(found.stdout)).toMatchObject([{ id: "open_door" }])
  })

  it("doctor reports secrets by name, never by value", async () => {
    const said = await planloom(["doctor", "--json"], { env: { ECHO_API_KEY: "s3cret" } })
    expect(said.code, said.stdout).toBe(0)
    const findings = JSON.parse(said.stdout) as ReadonlyArray<{
      readonly what: string
      readonly detail: string
    }>
    expect(findings.find(({ what }) => what === "Secret ECHO_API_KEY")).toMatchObject({
      detail: "is set",
    })
    expect(findings.find(({ what }) => what === "Provider echo")).toMatchObject({
      detail: "available",
    })
    expect(said.stdout).not.toContain("s3cret")
  })
})
