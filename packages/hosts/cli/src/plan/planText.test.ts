import { join } from "node:path"
import { check } from "@planloom/embed"
import type { JsonObject } from "@planloom/plugin/effect"
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import type { LoadedWorkflow, Pipeline } from "@planloom/core"
import type { ModelFacts } from "@planloom/plugin/facts"
import { estimateRun } from "@planloom/estimate"
import { styleOf } from "../terminal/Style.ts"
import { planText } from "./planText.ts"

const folder = join(import.meta.dirname, "../../test/fixture/workflows")

const estimateOf = (pipeline: Pipeline, inputs: JsonObject) =>
  Effect.runPromise(estimateRun(pipeline, { inputs, stages: {}, run: { id: "" } }))

const workflowOf = async (text: string): Promise<LoadedWorkflow> => {
  const path = join(folder, "unsaved.yaml")
  const { diagnostics, workflow } = await Effect.runPromise(
    check(path, { texts: new Map([[path, text]]) }),
  )
  if (workflow === undefined) throw new Error(diagnostics.map(({ message }) => message).join("\n"))
  return workflow
}

const header = `apiVersion: planloom/v1
kind: Workflow
name: unsaved
use: { plugins: [../plugin.ts] }
models: { thinker: { try: [echo/small, echo/large], max_tokens: 500 } }
policies:
  retry: { twice: { max_retries: 2, delay: 1s, on: [rate_limit] } }
  budget: { model_calls: 20, tokens: 3000 }
inputs: { list: { type: array, items: { type: integer }, default: [1, 2, 3] } }
outputs: {}
`

describe("the estimate of a run", () => {
  it("multiplies attempts, reruns, iterations, items and models", async () => {
    const { pipeline } = await workflowOf(`${header}stages:
  - { id: a, uses: think, model: thinker, with: { about: x }, retry: twice }
  - { id: b, uses: think, model: thinker, with: { about: x }, assert: [{ that: 'stages.b.output.text == "x"', on_fail: { rerun: a, max_reruns: 3 } }] }
  - { id: items, for_each: { in: inputs.list, max_parallel: 2 }, uses: think, model: thinker, with: { about: x } }
  - id: again
    repeat: { carry: { n: 0 }, until: iter.n > 3, next: { n: "\${{ iter.n + 1 }}" }, max_iterations: 5, on_exhausted: continue }
    stages: [{ id: inner, uses: think, model: thinker, with: { about: x } }]
`)
    const { stages, worst } = await estimateOf(pipeline, { list: [1, 2, 3] })
    const calls = Object.fromEntries(stages.map(({ path, total }) => [path, total.calls.most]))
    // Two models each: a 4 rounds × 3 attempts, b 4 rounds, 3 items, 5 iterations.
    expect(calls).toEqual({ a: 24, b: 8, items: 6, again: 0, "again/inner": 10 })
    expect(worst.total.calls).toEqual({ least: 48, most: 48 })
    expect(worst.total.tokens.least).toBeGreaterThan(48 * 500)
    // A rerun gives the model the reason, in words that are not known, and the context of these models is not known either.
    expect(worst.total.tokens.most).toBe(Infinity)
    expect(worst).toMatchObject({
      openLists: [],
      unknown: ["the price of echo/small", "the price of echo/large"],
    })
    expect(worst.total.cost).toBeUndefined()
    const text = planText(
      pipeline,
      await estimateOf(pipeline, { list: [1, 2, 3] }),
      styleOf(false),
      100,
    )
    expect(text).toContain("at most 48 model calls, stopped by the budget at 20 model calls")
    expect(text).toMatch(/at least 2\d\.\dk tokens, stopped by the budget at 3\.0k tokens/)
    expect(text).toContain("up to 3 attempts, retried on rate_limit")
  })

  it("warns of a prompt that nears the window of a model, or does not fit into it", async () => {
    const textOf = async (context: number) => {
      const loaded = await workflowOf(`${header}stages:
  - { id: a, uses: think, model: thinker, with: { about: "Numbers: \${{ inputs.list }}" } }
`)
      const facts = new Map([["echo/small", { context } as ModelFacts]])
      const pipeline = { ...loaded.pipeline, facts } as Pipeline
      const list = Array.from({ length: 400 }, (_, index) => index)
      const estimated = await estimateOf(pipeline, { list })
      const [{ near }] = estimated.stages as readonly [(typeof estimated.stages)[number]]
      const text = planText(pipeline, estimated, styleOf(false), 400)
      return [near.map(({ model }) => model), /warning: [^\n]*/.exec(text)?.[0]]
    }
    expect(await textOf(100_000)).toEqual([[], undefined])
    expect(await textOf(2_000)).toEqual([
      ["echo/small"],
      expect.stringMatching(
        /tokens of echo\/small; with what is unknown before the run it may not fit/,
      ),
    ])
    expect(await textOf(1_000)).toEqual([
      ["echo/small"],
      expect.stringMatching(/of the 1\.0k tokens of echo\/small; the request does not fit/),
    ])
  })

  it("counts the known values of with: and lists the unknown ones", async () => {
    const { pipeline } = await workflowOf(`${header}stages:
  - { id: found, uses: give, with: { value: [1] } }
  - { id: a, uses: think, model: thinker, with: { about: "Numbers: \${{ inputs.list }}" }, retry: twice }
  - { id: b, uses: think, model: thinker, with: { about: "\${{ stages.found.output }}" } }
`)
    const list = Array.from({ length: 400 }, (_, index) => index)
    const estimated = await estimateOf(pipeline, { list })
    const [, known, open] = estimated.stages
    expect(known!.with!.open).toEqual([])
    expect(known!.with!.tokens).toBeGreaterThan(1000)
    // Two models, three attempts.
    expect(known!.total.tokens.most).toBeGreaterThan(6 * (known!.with!.tokens + 500))
    expect(known!.total.tokens.most).toBeLessThan(6 * (known!.with!.tokens + 600))
    expect(open!.with).toEqual({ tokens: 0, open: ["about"] })
    expect(estimated.worst.unknown).toContain("the content of about in b")
    const text = planText(pipeline, estimated, styleOf(false), 200)
    expect(text).toContain("with: about (unknown before the run)")
    expect(text).toContain("; the content of about in b")
  })

  it("counts one item of a list whose length is unknown before the run, and names the list", async () => {
    const { pipeline } = await workflowOf(`${header}stages:
  - { id: found, uses: give, with: { value: [1] } }
  - { id: items, for_each: { in: stages.found.output, max_parallel: 2 }, uses: think, model: thinker, with: { about: x } }
`)
    const { worst } = await estimateOf(pipeline, {})
    expect(worst.total.calls).toEqual({ least: 2, most: Infinity })
    expect(worst.openLists).toEqual(["items"])
  })

  it("gives no upper limit for a kind that does not declare what it asks", async () => {
    const { pipeline } = await workflowOf(`${header}stages:
  - { id: a, uses: shout, model: thinker }
  - { id: b, uses: think, model: thinker, with: { about: x } }
`)
    const estimated = await estimateOf(pipeline, {})
    expect(estimated.worst.total.calls).toEqual({ least: 2, most: Infinity })
    expect(estimated.worst.unknown).toContain("how often the stage kind shout asks")
    const text = planText(pipeline, estimated, styleOf(false), 100)
    expect(text).toContain("at least 2 model calls")
    expect(text).not.toContain("at most 2 model calls")
  })

  it("believes no declaration that fails or is not a number", async () => {
    for (const asks of [
      () => ({ questions: [{ way: "text" as const, times: Number.NaN }] }),
      () => {
        throw new Error("a fault of the plugin")
      },
    ]) {
      const { pipeline } = await workflowOf(`${header}stages:
  - { id: a, uses: think, model: thinker, with: { about: x } }
`)
      const [node] = pipeline.main.nodes
      const work = { ...node!.work, kind: { ...(node!.work as { kind: object }).kind, asks } }
      const main = { ...pipeline.main, nodes: [{ ...node!, work: work as never }] }
      const { worst } = await estimateOf(
        Object.create(pipeline, { main: { value: main } }) as Pipeline,
        {},
      )
      expect(worst.total.calls).toEqual({ least: 2, most: Infinity })
    }
  })
})
