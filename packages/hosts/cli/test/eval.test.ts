/** `planloom eval`, as a person uses it: a model over real HTTP, a recording of it, and files that are wrong. */
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { wireServer, type WireServer } from "@planloom/testing"
import { fixture, planloom, trusting, type Options, type Outcome } from "./planloom.ts"

const KEY = "sk-not-a-real-key"

let folder: string
let server: WireServer

const workflow = (task: string) => `apiVersion: planloom/v1
kind: Workflow
name: sorts
use: { plugins: ["@planloom/stages", "@planloom/provider-openai"] }
secrets: [OPENAI_API_KEY]
flags: { careful: false }
defaults: { model: openai/gpt-4.1-mini }
inputs: { text: { type: string, minLength: 1 } }
stages:
  - { id: sort, uses: generate, with: { task: '${task}', context: "\${{ inputs.text }}" } }
outputs:
  label: { type: string, value: "\${{ stages.sort.output.text }}" }
`

const evaluation = (more = "") => `apiVersion: planloom/v1
kind: Evaluation
workflow: sorts.yaml
data: ../data/letters.csv
expect: { assert: [outputs.label == row.label] }
score: { letters: size(outputs.label) }
${more}`

const letters = `text,label
please refund me,refund
where is my parcel,parcel
the door is broken,repair
`

const write = (name: string, text: string) => writeFile(join(folder, name), text)

const command = (args: ReadonlyArray<string>, options: Options = {}): Promise<Outcome> =>
  planloom(["eval", ...args], { cwd: folder, env: { OPENAI_API_KEY: KEY }, ...options })

/** Without the times. */
const timeless = ({ stdout }: Outcome): unknown =>
  JSON.parse(stdout, (key, value: unknown) => (key === "ms" || key === "calls" ? 0 : value))

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "planloom-eval-"))
  // Its files send the key to a server of their own.
  await trusting(folder)
  server = await wireServer({ key: KEY })
  await mkdir(join(folder, "workflows"))
  await mkdir(join(folder, "data"))
  await write(
    "planloom.yaml",
    JSON.stringify({
      apiVersion: "planloom/v1",
      kind: "Project",
      plugins: {
        "@planloom/provider-openai": { servers: { openai: { base_url: `${server.url}/v1` } } },
      },
    }),
  )
})

beforeEach(async () => {
  await write("workflows/sorts.yaml", workflow("Sort it"))
  await write("workflows/sorts.eval.yaml", evaluation())
  await write("data/letters.csv", letters)
  answer()
})

/** Each answer is for one request. */
const answer = () =>
  server.answer(
    { text: "refund", when: "refund me", usage: { input: 20, output: 1 } },
    { text: "parcel", when: "my parcel", usage: { input: 20, output: 1 } },
    { status: 429, when: "the door" },
  )

afterAll(async () => {
  await server.close()
  await rm(folder, { recursive: true, force: true })
})

describe("planloom eval", () => {
  it("measures a model, and gives identical figures from a recording", async () => {
    const args = ["--reporter", "json", "--record", "tape"]
    const recorded = await command(args)
    expect(recorded, recorded.stderr).toMatchObject({ code: 0 })
    const report = JSON.parse(recorded.stdout)
    expect(report).toMatchObject({ passed: true, partial: false })
    expect(report.evaluations[0].variants.default).toMatchObject({
      cases: 3,
      passed: 2,
      pass_rate: 0.666667,
      failures: { rate_limit: 1 },
      input_tokens: 40,
    })
    expect(report.evaluations[0].failed_runs).toMatchObject([
      { case: "the door is broken", file: "data/letters.csv", line: 4, status: "failed" },
    ])
    const before = server.requests.length
    const replayed = await command(["--reporter", "json", "--replay", "tape"], { env: {} })
    expect(timeless(replayed)).toEqual(timeless(recorded))
    expect(server.requests.length).toBe(before)
    const files = await readdir(join(folder, "tape"), { recursive: true })
    expect(files).toContain("sorts/default/please_refund_me/1/cassette.yaml")
    for (const file of files.filter((name) => name.endsWith(".yaml"))) {
      expect(await readFile(join(folder, "tape", file), "utf8")).not.toContain(KEY)
    }
    await write("workflows/sorts.yaml", workflow("Sort it well"))
    const stale = await command(["--replay", "tape"])
    expect(stale.code).toBe(1)
    expect(stale.stdout).toContain("data/letters.csv:2 please refund me: ")
    expect(stale.stdout).toMatch(/- +Sort it\b/)
    expect(stale.stdout).toMatch(/\+ +Sort it well/)
  })

  it("prints figures, failed cases and gates, and exits with 100 if a gate fails", async () => {
    await write(
      "workflows/sorts.eval.yaml",
      evaluation("gate:\n  - pass_rate >= 0.5\n  - scores.letters.mean > 10\n"),
    )
    const { code, stdout } = await command(["--out", "report.xml", "--out", "runs.jsonl"])
    expect(code).toBe(100)
    expect(stdout).toMatch(/^ {2}passed +66\.7 % {2}2 of 3$/m)
    expect(stdout).toMatch(/^ {2}failed +1 rate_limit$/m)
    expect(stdout).toContain("✗ the door is broken  data/letters.csv:4")
    expect(stdout).toContain("✓ pass_rate >= 0.5")
    expect(stdout).toMatch(/✗ scores\.letters\.mean > 10 {2}workflows\/sorts\.eval\.yaml:9/)
    expect(stdout).toContain("scores.letters.mean is 6")
    expect(stdout).not.toContain(KEY)
    expect(await readFile(join(folder, "report.xml"), "utf8")).toContain('tests="2" failures="1"')
    const lines = (await readFile(join(folder, "runs.jsonl"), "utf8")).trimEnd().split("\n")
    expect(lines.map((line) => JSON.parse(line).passed).toSorted()).toEqual([false, true, true])
    expect(lines.join()).not.toContain(KEY)
  })

  it("lists what runs have missed, by case, and counts them", async () => {
    await write(
      "workflows/sorts.eval.yaml",
      evaluation("misses: '[row.label, {\"n\": 1}].filter(one, one != outputs.label)'\n"),
    )
    const { code, stdout } = await command(["--limit", "1", "--out", "runs.jsonl"])
    expect(code).toBe(0)
    expect(stdout).toMatch(/^ {2}runs with misses +2$/m)
    expect(stdout).toContain(
      '  missed please refund me  data/letters.csv:2\n      {"n":1}\n  and 1 more; --limit shows more, --out runs.jsonl all\n',
    )
    const lines = (await readFile(join(folder, "runs.jsonl"), "utf8")).trimEnd().split("\n")
    expect(lines.map((line) => JSON.parse(line).missed).toSorted()).toEqual([
      [],
      [{ n: 1 }],
      [{ n: 1 }],
    ])
  })

  it("writes and compares a baseline, and rejects gates on a baseline without one", async () => {
    const gated = evaluation("gate: pass_rate >= baseline.pass_rate\n")
    await write("workflows/sorts.eval.yaml", gated)
    const bare = await command([])
    expect(bare).toMatchObject({ code: 2, stdout: "" })
    expect(bare.stderr).toContain("reads a baseline, but --baseline is not given")
    const kept = await command(["--baseline", "kept.json", "--update"])
    expect(kept, kept.stdout).toMatchObject({ code: 0, stderr: "wrote kept.json\n" })
    answer()
    const same = await command(["--baseline", "kept.json"])
    expect(same.code).toBe(0)
    expect(same.stdout).toMatch(/^ +now +baseline$/m)
    server.answer({ text: "parcel" })
    const worse = await command(["--baseline", "kept.json"])
    expect(worse.code).toBe(100)
    expect(await command(["--baseline", "kept.json", "--filter", "door"])).toMatchObject({
      code: 2,
    })
    await write("wrong.json", "[]")
    const wrong = await command(["--baseline", "wrong.json", "--update"])
    expect(wrong).toMatchObject({ code: 1, stdout: "" })
    expect(wrong.stderr).toContain(
      "delete it and rewrite it: planloom eval --baseline wrong.json --update",
    )
  })

  it("rejects two files of one name with --record or --baseline", async () => {
    const twins = ["workflows/sorts.eval.yaml", "data/sorts.eval.yml"]
    await write(twins[1]!, evaluation())
    for (const flag of ["--record", "--baseline"]) {
      const { code, stderr } = await command([...twins, flag, "twins"])
      expect(code, flag).toBe(2)
      expect(stderr).toContain('two evaluations have the name "sorts"')
    }
    await rm(join(folder, twins[1]!))
  })

  it("compares variants, and runs one of them with --variant", async () => {
    await write(
      "workflows/sorts.eval.yaml",
      evaluation(
        "variants:\n  plain: {}\n  careful: { flags: { careful: true }, set: { stages.sort.with.task: Look twice } }\n",
      ),
    )
    const careful = { text: "repair", when: "Look twice" }
    server.answer(careful, careful, careful, { text: "refund" })
    const { code, stdout } = await command([])
    expect(code).toBe(0)
    expect(stdout).toMatch(/^ +plain +careful$/m)
    expect(stdout).toContain(
      "careful against plain: 1 better, 1 worse, 1 the same, p = 1 (sign test)",
    )
    expect(stdout).toContain("+ the door is broken  data/letters.csv:4")
    const alone = await command(["--variant", "careful", "--reporter", "json"])
    expect(Object.keys(JSON.parse(alone.stdout).evaluations[0].variants)).toEqual(["careful"])
    const unknown = await command(["--variant", "carefull"])
    expect(unknown).toMatchObject({ code: 2, stdout: "" })
    expect(unknown.stderr).toContain('did you mean "careful"')
  })

  it("reports invalid rows with their lines before any model call", async () => {
    const before = server.requests.length
    await write("data/letters.csv", `${letters}one,two,three\n,nothing\n`)
    const wrong = await command([])
    expect(wrong.code).toBe(1)
    expect(wrong.stdout).toContain("data/letters.csv:5:1 error PL2013 the row has 3 fields")
    expect(wrong.stdout).toContain("data/letters.csv:6:1 error PL2013")
    const checked = await planloom(["check", "workflows"], { cwd: folder })
    expect(checked).toMatchObject({ code: 1 })
    expect(checked.stdout).toContain("data/letters.csv:5:1 error PL2013")
    await write("data/letters.csv", "")
    expect((await command([])).stdout).toContain("letters.csv has no rows")
    await write("workflows/sorts.eval.yaml", "")
    expect(await command([])).toMatchObject({ code: 1 })
    expect(server.requests.length).toBe(before)
    expect(
      (await planloom(["run", "workflows/sorts.eval.yaml"], { cwd: folder })).stderr,
    ).toContain("run it with: planloom eval")
  })

  it("approves only what the file approves, and runs a tool that may write only if the file calls it real", async () => {
    const ends = JSON.stringify(join(fixture, "workflows/ends.yaml"))
    const door = (more: string) =>
      write(
        "workflows/door.eval.yaml",
        `apiVersion: planloom/v1
kind: Evaluation
workflow: ${ends}
cases: [{ name: door, inputs: { how: approve } }]
expect: { assert: [usage.toolCalls == 1] }
${more}`,
      )
    await door("")
    const open = JSON.parse((await command(["workflows/door.eval.yaml", "--json"])).stdout)
    expect(open.evaluations[0].variants.default).toMatchObject({ passed: 0, clarifications: 1 })
    const answers = "answers: [{ stage: door, value: { approved: true } }]"
    await door(`given: { ${answers} }\n`)
    const refused = JSON.parse((await command(["workflows/door.eval.yaml", "--json"])).stdout)
    expect(refused.evaluations[0].variants.default).toMatchObject({ passed: 0, failed: 1 })
    await door(`given: { ${answers}, tools: { lock_door: real } }\n`)
    const approved = JSON.parse((await command(["workflows/door.eval.yaml", "--json"])).stdout)
    expect(approved.evaluations[0].variants.default).toMatchObject({ passed: 1, tool_calls: 1 })
    await door("given: { tools: { lock_dor: { result: {} } } }\n")
    const unknown = await command(["workflows/door.eval.yaml"])
    expect(unknown).toMatchObject({ code: 1 })
    expect(unknown.stdout).toContain('PL4008 there is no tool "lock_dor"')
    await rm(join(folder, "workflows/door.eval.yaml"))
  })

  it("prints finished runs when it is cancelled, and stops at --max-cost", async () => {
    await write("data/letters.csv", letters)
    const dear = { text: "refund", when: "refund me", usage: { input: 1_000_000, output: 1 } }
    server.answer(dear, { fault: "slow" })
    const asked = server.requests.length
    const cancelled = command(["--concurrency", "1", "--out", "runs.jsonl"], {
      interruptAfter: server.received(asked + 2),
    })
    const { code, stderr, stdout } = await cancelled
    expect(code).toBe(130)
    expect(stderr).toContain("cancelled")
    expect(stdout).toMatch(/^ {2}passed +100\.0 % {2}1 of 1$/m)
    expect(stdout).toContain("partial: 1 of 3 runs had ended when it was cancelled")
    server.answer(dear, { text: "parcel" })
    const spent = await command(["--concurrency", "1", "--max-cost", "0.01"])
    expect(spent.code, spent.stdout + spent.stderr).toBe(3)
    expect(spent.stdout).toContain("partial: 1 of 3 runs had ended when --max-cost was reached")
  })
})
