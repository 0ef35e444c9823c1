/** Examples of the keys of a stage that limit or repeat its work. */
import type { KeyExample } from "./KeyExample.ts"
import { byDefault, examples, file, flow, many } from "./worlds.ts"

const owner = "stage"

const slow = flow(`
stages: [{ id: slow, uses: work, with: { value: 1, takes: 5000 } }]
`)

const asserted = (more: string) =>
  flow(`
stages:
  - { id: before, uses: work, with: { value: 1, takes: 100 } }
  - { id: between, uses: work, with: { value: 1, takes: 10 } }
  - { id: checked, uses: work, with: { value: 2 }, assert: { that: stages.checked.output > 3${more} } }
`)

const failsTwice = flow(`
policies: { retry: { once: { max_retries: 1, jitter: false }, slowly: { max_retries: 2, delay: 9s, jitter: false } } }
stages: [{ id: fail, uses: work, with: { fails: unavailable, times: 2 } }]
`)

const together = flow(
  `stages: [{ id: one, uses: work, with: { takes: 1000 }, concurrency: { group: a } }]`,
  { together: 3 },
)

const sideBySide = flow(`
stages:
  - { id: one, uses: work, needs: [], with: { takes: 1000 }, concurrency: { group: a } }
  - { id: other, uses: work, needs: [], with: { takes: 1000 }, concurrency: { limit: 1 } }
`)

/** Models with prices. */
export const priced = {
  "planloom.yaml": file("Project", "model_facts: [models.yaml]"),
  "models.yaml": file(
    "Models",
    "models: { scripted/*: { price: { input: 1000, output: 2000 }, context: 4000 } }",
  ),
}

/** Calls a tool and a model several times. */
export const spending = (more = "", files = {}) =>
  flow(
    `${more}
defaults: { model: scripted/one }
stages:
  - id: spend
    stages:
      - { id: one, uses: call, with: { tool: weigh } }
      - { id: two, uses: generate, with: { task: Speak. } }
      - { id: three, uses: call, with: { tool: weigh } }
      - { id: four, uses: generate, with: { task: Speak again. } }
      - { id: five, uses: generate, with: { task: Speak once more. } }
      - { id: rest, uses: work, with: { takes: 5000 } }
`,
    {
      replies: many({ text: "done", usage: { input: 1000, output: 1000 }, delay: 100 }),
      tools: { weigh: { result: 1, delay: 100 } },
      files: { ...priced, ...files },
    },
  )

const tries = (at: string, ownerOf: string): ReadonlyArray<KeyExample> => {
  const world = flow(`
stages: [{ id: fail, uses: work, with: { fails: [unavailable, unavailable, unavailable, internal], times: 5 }, retry: { max_retries: 5, delay: 1s, max_delay: 1h, jitter: false } }]
`)
  return examples({ owner: ownerOf, world, at }, [
    ["max_retries", 2, 3],
    ["delay", "2s", "3s"],
    ["backoff", "constant", "linear"],
    ["max_delay", "2s", "3s"],
    ["jitter", false, byDefault(true)],
    ["on", ["unavailable", "internal"], ["internal"]],
  ])
}

export const limitExamples: ReadonlyArray<KeyExample> = [
  ...examples({ owner, world: slow, at: "stages.0" }, [["timeout", "1s", "2s"]]),
  ...examples({ owner, world: spending(), at: "stages.0" }, [
    ["budget", { tool_calls: 1 }, { model_calls: 1 }],
    ["budget.tokens", 2000, 4000],
    ["budget.cost_usd", 3, 6],
    ["budget.tool_calls", 0, 1],
    ["budget.model_calls", 1, 2],
    ["budget.time", "1s", "2s"],
  ]),
  ...examples({ owner, world: asserted(""), at: "stages.2" }, [
    ["assert.that", "stages.checked.output > 4", "stages.checked.output > 5"],
    ["assert.message", "too small", "${{ 'small' }}"],
    ["assert.on_fail", { rerun: "before", max_reruns: 1 }, byDefault("fail")],
  ]),
  ...examples(
    { owner, world: asserted(", on_fail: { rerun: before, max_reruns: 3 }"), at: "stages.2" },
    [
      ["assert.on_fail.rerun", "before", "between"],
      ["assert.on_fail.max_reruns", 1, 2],
    ],
  ),
  ...examples({ owner, world: failsTwice, at: "stages.0" }, [["retry", "once", ["slowly"]]]),
  ...tries("stages.0.retry", "stage.retry"),
  ...examples({ owner, world: together, at: "stages.0" }, [
    ["concurrency", { group: "a" }, { group: "a", limit: 2 }],
    ["concurrency.limit", 2, byDefault(1)],
    ["concurrency.on_limit", "cancel", "fail"],
  ]),
  ...examples({ owner, world: sideBySide, at: "stages.1" }, [["concurrency.group", "a", "b"]]),
]
