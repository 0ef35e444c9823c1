/** `planloom test --metrics`: what it prints, and when it fails. */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { planloom, type Outcome } from "./planloom.ts"

/** A test whose model writes a column's name with a slip. */
const slip = `
  - name: mends a slip
    given:
      inputs: { question: What is the total revenue by region? }
      models:
        plan:
          - json:
              modifications:
                - op: modify
                  step: grouped
                  rationale: One total for each region.
                  params: { metrics: [revenue], group_by: [regoin], agg: sum }
                  satisfies: ["metrics:revenue", "group_by:region", "analysis:total"]
                - { op: remove, step: chart, rationale: Nobody asked for it. }
    expect:
      assert:
        - outputs.table.rows == 4
`

let project: string
const test = (...args: ReadonlyArray<string>): Promise<Outcome> =>
  planloom(["test", ...args], { cwd: project })

beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), "planloom-metrics-"))
  await planloom(["init", project, "--template", "table", "--yes", "--no-install"])
})

afterAll(() => rm(project, { recursive: true, force: true }))

describe("planloom test --metrics", () => {
  it("prints metrics of the plans", async () => {
    const { code, stdout } = await test("--metrics")
    expect(code).toBe(0)
    expect(stdout).toMatch(/^ {2}requirement coverage +100 % {2}\d+ of \d+ requirements$/m)
    expect(stdout).toMatch(/^ {2}unjustified steps +0 % {2}0 of \d+ steps$/m)
    const { metrics } = JSON.parse((await test("--metrics", "--reporter", "json")).stdout)
    expect(metrics).toMatchObject({ requirement_coverage_rate: 1, unjustified_step_rate: 0 })
  })

  it("prints how well the confidence of the stages matches the expectations", async () => {
    const { stdout } = await test("--metrics")
    expect(stdout).toMatch(/^ {2}calibration error +[\d.]+ {2}\d+ of \d+ answers? right by/m)
    const { calibration } = JSON.parse((await test("--metrics", "--reporter", "json")).stdout)
    expect(calibration.count).toBeGreaterThan(0)
    expect(calibration.right).toBe(1)
  })

  it("writes a baseline, and fails if a metric is worse", async () => {
    const kept = await test("--baseline", "kept.json", "--update")
    expect(kept).toMatchObject({ code: 0, stderr: "wrote kept.json\n" })
    expect(await test("--baseline", "kept.json")).toMatchObject({ code: 0 })
    // A plan with a slip is repaired, and that is worse than before.
    const path = join(project, "workflows/analyze.test.yaml")
    await writeFile(path, `${await readFile(path, "utf8")}${slip}`)
    const worse = await test("--baseline", "kept.json")
    expect(worse.stdout).toMatch(/^✗ repaired steps .* worse than the baseline's 0 %$/m)
    expect(worse.code).toBe(100)
    expect(await test("--baseline", "kept.json", "--update")).toMatchObject({ code: 0 })
    expect(await test("--baseline", "kept.json")).toMatchObject({ code: 0 })
  })

  it("rejects an invalid baseline, and --filter with a baseline", async () => {
    await writeFile(join(project, "wrong.json"), '{ "speed": 1 }')
    const wrong = await test("--baseline", "wrong.json")
    expect(wrong).toMatchObject({ code: 1, stdout: "" })
    expect(wrong.stderr).toContain("wrong.json is not a baseline: there is no metric speed")
    expect(await test("--baseline", "absent.json")).toMatchObject({ code: 1 })
    expect(await test("--baseline", "wrong.json", "--filter", "one")).toMatchObject({ code: 2 })
  })
})
