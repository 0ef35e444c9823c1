/** `planloom eval calibrate`: a threshold from recorded runs, and what says whether they were right. */
import { rm } from "node:fs/promises"
import { join } from "node:path"
import { openStore } from "@planloom/store-sqlite"
import { REVIEWS, ReviewQueue } from "@planloom/shadow/queue"
import * as Effect from "effect/Effect"
import { afterAll, beforeAll, expect, it } from "vitest"
import { openShop, planned, workflow, type Shop } from "./shop.ts"

let shop: Shop
const runs: Record<string, string> = {}

const RIGHT = "outputs.answer == 'find_items, item_price'"

/** The answer has a price if the plan finds tea. */
const ask = async (name: string, confidence: number, ...queries: ReadonlyArray<string>) => {
  shop.server.answer(planned("price", confidence, ...queries))
  runs[name] = await shop.ask(`The price, ${name}`)
}

const answer = async (name: string, ...queries: ReadonlyArray<string>) => {
  shop.server.answer(planned("price", 0.95, ...queries))
  const { code, stderr } = await shop.command("runs", "answer", runs[name]!, "--value", "this one")
  expect(code, stderr).toBe(0)
}

beforeAll(async () => {
  shop = await openShop(workflow.replace(/^ {2}(email|to): .*\n/gm, ""))
  for (const name of ["a", "b", "c", "d"]) await ask(name, 0.9, "tea")
  await ask("wrong", 0.6, "coffee")
  await ask("wrong too", 0.6, "milk")
  await ask("lucky", 0.6, "tea")
  await ask("kept", 0.3, "tea")
  await answer("kept", "tea")
  await ask("changed", 0.3, "coffee")
  await answer("changed", "tea")
  await ask("open", 0.2, "coffee")
  await ask("empty", 0.9)
})

afterAll(async () => {
  await shop.server.close()
  await rm(shop.folder, { recursive: true, force: true })
})

const calibrate = (...args: ReadonlyArray<string>) =>
  shop.command("eval", "calibrate", "shop", ...args)

interface Row {
  readonly threshold: number
  readonly asked: number
  readonly judged: number
  readonly wrong: number
  readonly unseen: number
}

const rowsOf = async (...args: ReadonlyArray<string>) => {
  const { code, stdout } = await calibrate("--json", ...args)
  const read = JSON.parse(stdout) as {
    readonly rows: ReadonlyArray<Row>
    readonly sources: object
    readonly judged: number
    readonly proposed: Row | null
  }
  const at = (threshold: number) => {
    const { asked, judged, unseen, wrong } = read.rows.find((one) => one.threshold === threshold)!
    return { asked, judged, wrong, unseen }
  }
  return { ...read, at, code }
}

it("proposes the lowest threshold within the target, by an expression and by answers to questions", async () => {
  const { at, code, judged, proposed, sources } = await rowsOf(
    "--threshold",
    "confidence",
    "--right",
    RIGHT,
    "--max-wrong",
    "0.5",
  )
  expect(code).toBe(0)
  expect(judged).toBe(9)
  expect(sources).toEqual({ expression: 8, evaluation: 0, review: 0, answer: 2 })
  // Asked: the two answered questions, the open one, and the empty plan.
  expect(at(0.5)).toEqual({ asked: 4, judged: 7, wrong: 2, unseen: 0 })
  expect(at(0.3)).toEqual({ asked: 2, judged: 9, wrong: 3, unseen: 0 })
  expect(at(0.2)).toEqual({ asked: 1, judged: 9, wrong: 3, unseen: 1 })
  expect(at(0)).toEqual({ asked: 1, judged: 9, wrong: 3, unseen: 1 })
  expect(proposed).toMatchObject({ threshold: 0.65, asked: 7, judged: 4, wrong: 0 })
})

it("prints the table and the proposal", async () => {
  const { code, stderr, stdout } = await calibrate("--right", RIGHT, "--max-wrong", "0.5")
  expect(code).toBe(0)
  expect(stdout).toContain(
    "shop, stage plan: 11 runs, 9 known to be right or wrong (expression 8, answer 2)",
  )
  expect(stdout).toMatch(/^0\.00 +9\.1 % {2}1 of 11 +33\.3 % {2}3 of 9 .*1 not known$/m)
  expect(stdout).toMatch(
    /^0\.50 +36\.4 % {2}4 of 11 +28\.6 % {2}2 of 7 +8\.2 % – 64\.1 % +recorded$/m,
  )
  expect(stdout).toMatch(/^0\.65 +63\.6 % .*0\.0 % – 49\.0 % +proposed$/m)
  expect(stderr).toContain("proposed: 0.65, which asks in 63.6 % of the runs; at most 49.0 %")
})

it("refuses to propose from too few runs, and says how many there must be", async () => {
  const few = await calibrate("--right", RIGHT)
  expect(few.code).toBe(1)
  expect(few.stdout).toMatch(/^0\.50 /m)
  expect(few.stderr).toContain("too few runs: 9 are known to be right or wrong")
  expect(few.stderr).toContain("cannot be shown with fewer than 73")
  const { code, proposed } = await rowsOf("--right", RIGHT)
  expect({ code, proposed }).toEqual({ code: 1, proposed: null })
  // Two answers to questions alone.
  expect((await calibrate("--max-wrong", "0.5")).stderr).toContain("too few runs: 2 are known")
  const strict = await calibrate("--right", "outputs.answer == ''", "--max-wrong", "0.5")
  expect(strict.stderr).toContain("no threshold has at most 50.0 % wrong answers")
})

it("judges runs by the expectations of an evaluation for their inputs", async () => {
  await shop.write(
    "shop.eval.yaml",
    `apiVersion: planloom/v1
kind: Evaluation
workflow: workflows/shop.yaml
cases:
  - { name: right, inputs: { message: "The price, a" } }
  - { name: wrong, inputs: { message: "The price, wrong" } }
  - { name: kept, inputs: { message: "The price, kept" }, expect: { status: clarification } }
  - { name: other, inputs: { message: Something else } }
expect: { assert: ["calls.exists(call, call.tool == 'item_price')"] }
`,
  )
  const { at, sources } = await rowsOf("--expect", "shop.eval.yaml")
  expect(sources).toEqual({ expression: 0, evaluation: 3, review: 0, answer: 1 })
  expect(at(0.65)).toMatchObject({ judged: 1, wrong: 0 })
  expect(at(0.5)).toMatchObject({ judged: 2, wrong: 1 })
  // The run that should ask is wrong where it would answer, and so is the one whose answer changed the plan.
  expect(at(0.3)).toMatchObject({ judged: 4, wrong: 3 })
  await shop.write(
    "prompts.eval.yaml",
    `apiVersion: planloom/v1
kind: Evaluation
workflow: workflows/shop.yaml
cases: [{ inputs: { message: "The price, a" } }]
expect: { assert: ["prompts.plan.text != ''"] }
`,
  )
  expect((await calibrate("--expect", "prompts.eval.yaml")).stderr).toContain(
    "reads prompts, which are not recorded",
  )
  const missing = await calibrate("--expect", "gone.eval.yaml")
  expect(missing.code).toBe(1)
  expect(missing.stderr).toContain("PL0001")
})

it("judges runs by decided reviews: a text that a person changes was wrong, a flag says nothing", async () => {
  const item = (run: string, text: string) => ({
    at: 1,
    run,
    path: "answer",
    stage: "answer",
    request: "",
    written: text,
    verdict: "flag" as const,
    findings: [],
    config: "",
  })
  await Effect.runPromise(
    Effect.scoped(
      Effect.gen(function* () {
        const store = yield* openStore(join(shop.folder, ".planloom/runs.db"))
        const queue = new ReviewQueue(store.collection!(REVIEWS))
        for (const name of ["a", "b", "lucky", "open"]) yield* queue.add(item(runs[name]!, name))
        const verdicts = { a: "pass", b: "flag", lucky: "replace", open: "pass" } as const
        for (const { id, item: one } of yield* queue.list()) {
          const verdict = verdicts[one.written as keyof typeof verdicts]
          yield* queue.decide(id, { verdict, by: "eve", at: 2 })
        }
      }),
    ),
  )
  const { at, sources } = await rowsOf()
  expect(sources).toEqual({ expression: 0, evaluation: 0, review: 2, answer: 2 })
  expect(at(0.65)).toMatchObject({ judged: 1, wrong: 0 })
  expect(at(0.5)).toMatchObject({ judged: 2, wrong: 1 })
  // A run is right if all that judge it say so.
  const both = await rowsOf("--right", RIGHT)
  expect(both.at(0.5)).toMatchObject({ judged: 7, wrong: 3 })
})

it("says what is wrong with its flags, and which judge says nothing", async () => {
  const said = async (...args: ReadonlyArray<string>) => (await calibrate(...args)).stderr
  expect(await said("--max-wrong", "0")).toContain("--max-wrong is a share between 0 and 1")
  expect(await said("--right", "outputs.(")).toContain("--right is no expression")
  expect(await said("--right", "outputs.gone")).toContain("--right is true or false for no run")
  expect(await said("--stage", "plam")).toContain('did you mean "plan"')
  expect(await said("--since", "2999-01-01")).toContain('no recorded run of "shop"')
  const none = await shop.command("eval", "calibrate", "nothing")
  expect(none).toMatchObject({ code: 1, stdout: "" })
  // Without the subcommand the argument is still a path.
  expect((await shop.command("eval", "shop.eval.yaml", "--filter", "gone")).stderr).toContain(
    'no case has "gone"',
  )
})
