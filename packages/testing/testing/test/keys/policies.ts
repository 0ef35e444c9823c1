/** Examples of the policies of a workflow: retries, rates, budgets, concurrency. */
import type { KeyExample } from "./KeyExample.ts"
import { spending } from "./stageLimits.ts"
import { byDefault, examples, file, flow, many } from "./worlds.ts"

const owner = "Workflow"

const failing = flow(`
policies: { retry: { slowly: { max_retries: 1, delay: 9s, jitter: false } } }
stages: [{ id: fail, uses: work, with: { fails: [unavailable, unavailable, unavailable, internal], times: 5 } }]
`)

const retrying = (more: string) =>
  flow(`${more}
stages: [{ id: fail, uses: work, with: { fails: [unavailable, unavailable, unavailable, internal], times: 5 } }]
`)

const policy = "{ max_retries: 5, delay: 1s, max_delay: 1h, jitter: false }"

const tries = [
  ["max_retries", 2, 3],
  ["delay", "2s", "3s"],
  ["backoff", "constant", "linear"],
  ["max_delay", "2s", "3s"],
  ["jitter", false, byDefault(true)],
  ["on", ["unavailable", "internal"], ["internal"]],
] as const

const crowded = flow(
  `concurrency: { group: a }
stages: [{ id: one, uses: work, with: { takes: 1000 } }]`,
  { together: 3 },
)

/** Two workflows inside another, at the same time. */
const nested = flow(
  `stages:
  - { id: one, uses: workflow, needs: [], with: { path: a.yaml } }
  - { id: other, uses: workflow, needs: [], with: { path: b.yaml } }`,
  {
    files: {
      "a.yaml": file(
        "Workflow",
        "name: a\nconcurrency: { group: a }\nstages: [{ id: one, uses: work, with: { takes: 1000 } }]",
      ),
      "b.yaml": file(
        "Workflow",
        "name: b\nconcurrency: { limit: 1 }\nstages: [{ id: one, uses: work, with: { takes: 1000 } }]",
      ),
    },
  },
)

/** Four calls of two models at the same time. */
const rated = (more: string, parallel = "") =>
  flow(
    `${more}
models: { fast: scripted/one, plain: scripted/two }
stages:
  - { id: all, uses: generate, for_each: { in: "[1, 2, 3, 4]"${parallel} }, model: fast, with: { task: Speak. } }
`,
    { replies: many({ text: "done", usage: { input: 50, output: 50 }, delay: 1000 }) },
  )

const broken = (more: string) =>
  flow(
    `${more}
models: { main: scripted/one }
stages:
  - id: all
    repeat: { until: "false", max_iterations: 6, on_exhausted: continue }
    stages:
      - { id: ask, uses: generate, model: main, on_error: continue, with: { task: Speak. } }
      - { id: rest, uses: work, with: { takes: 10000 } }
`,
    { replies: many({ fail: { class: "unavailable" } }) },
  )

export const policyExamples: ReadonlyArray<KeyExample> = [
  ...examples({ owner, world: failing }, [["defaults.retry", "slowly", { max_retries: 2 }]]),
  ...examples(
    {
      owner: "Workflow.defaults.retry",
      world: retrying(`defaults: { retry: ${policy} }`),
      at: "defaults.retry",
    },
    tries,
  ),
  ...examples(
    {
      owner: "Workflow.policies.retry.*",
      world: retrying(`defaults: { retry: again }\npolicies: { retry: { again: ${policy} } }`),
      at: "policies.retry.again",
    },
    tries,
  ),
  ...examples({ owner, world: retrying("defaults: { retry: again }") }, [
    ["policies.retry", { again: { max_retries: 1 } }, { again: { max_retries: 2 } }],
  ]),
  ...examples({ owner, world: rated("") }, [
    ["policies", { budget: { model_calls: 1 } }, { budget: { model_calls: 2 } }],
    ["policies.rate", { fast: { concurrency: 1 } }, { scripted: { requests_per_minute: 1 } }],
  ]),
  ...examples(
    {
      owner: "Workflow.policies.rate.*",
      world: rated("policies: { rate: { fast: {} } }"),
      at: "policies.rate.fast",
    },
    [
      ["requests_per_minute", 1, 2],
      ["concurrency", 1, 2],
    ],
  ),
  ...examples(
    {
      owner: "Workflow.policies.rate.*",
      world: rated("policies: { rate: { fast: {} } }", ", max_parallel: 1"),
      at: "policies.rate.fast",
    },
    [["tokens_per_minute", 50, 100]],
  ),
  ...examples(
    {
      owner: "Workflow.policies.rate.*",
      world: rated("policies: { rate: { some: { concurrency: 1 } } }"),
      at: "policies.rate.some",
    },
    [
      [
        "for",
        "policies.rate.some",
        { concurrency: 1, for: ["fast"] },
        { concurrency: 2, for: ["scripted"] },
      ],
    ],
  ),
  ...examples({ owner, world: broken("policies: {}") }, [
    ["policies.breaker", { failures: 1 }, { failures: 2, probe_after: "1h" }],
  ]),
  ...examples(
    {
      owner: "Workflow.policies.breaker",
      world: broken("policies: { breaker: { failures: 2, probe_after: 15s, within: 1h } }"),
      at: "policies.breaker",
    },
    [
      ["failures", 1, 3],
      ["within", "5s", byDefault("1m")],
      ["probe_after", "5s", "1h"],
    ],
  ),
  ...examples({ owner, world: spending() }, [
    ["policies.budget", { tool_calls: 1 }, { model_calls: 1 }],
    ["policies.budget.tokens", 2000, 4000],
    ["policies.budget.cost_usd", 3, 6],
    ["policies.budget.tool_calls", 0, 1],
    ["policies.budget.model_calls", 1, 2],
    ["policies.budget.time", "1s", "2s"],
  ]),
  ...examples({ owner, world: crowded }, [
    ["concurrency", { group: "a" }, { group: "a", limit: 2 }],
    ["concurrency.limit", 2, byDefault(1)],
    ["concurrency.on_limit", "cancel", "fail"],
  ]),
  ...examples({ owner, world: nested, file: "b.yaml" }, [["concurrency.group", "a", "b"]]),
]
