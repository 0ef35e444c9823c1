/** Examples of the keys of a workflow. */
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { check } from "@planloom/embed"
import { definePlugin, type Json, type Plugin } from "@planloom/plugin/effect"
import stageKinds from "@planloom/stages"
import { stubTools } from "@planloom/testing"
import type { KeyExample } from "./KeyExample.ts"
import { asking, byDefault, examples, file, flow, looking, many } from "./worlds.ts"

const owner = "Workflow"

const simple = flow(`
inputs: { n: { type: integer, default: 1 } }
stages: [{ id: one, uses: work, with: { value: 1, takes: 5000 } }]
outputs: { one: { value: "\${{ stages.one.output }}" } }
`)

/** A plugin with one tool, named by it and by the secret it may read. */
const toolPlugin = (id: string): Plugin =>
  definePlugin({
    id,
    summary: "A tool.",
    provides: { tools: [id] },
    setup: (_, { secret }) =>
      Effect.succeed({ tools: [stubTools({ [`${id}_${secret("KEY") ?? "open"}`]: {} }, { id })] }),
  })

const looks = flow(
  'stages: [{ id: see, uses: look }]\noutputs: { seen: { value: "${{ stages.see.output }}" } }',
  {
    ...looking,
    files: {
      "a.yaml": file("Catalog", "tools: [{ name: a, summary: A. }]"),
      "b.yaml": file("Catalog", "tools: [{ name: b, summary: B. }]"),
    },
    load: {
      plugins: { first: async () => toolPlugin("first"), other: async () => toolPlugin("other") },
      secret: (name) => `value_of_${name.toLowerCase()}`,
    },
  },
)

const plugged = {
  ...looks,
  files: {
    ...looks.files,
    "flow.yaml": { ...(looks.files["flow.yaml"] as object), use: { plugins: ["first"] } },
  },
}

const flagged = flow(`
flags: { other: true }
stages: [{ id: one, uses: work, with: { value: "\${{ flags }}" } }]
`)

/** Variables that a flag may name. */
const variables = { PLANLOOM_KEYS_ONE: "1", PLANLOOM_KEYS_THREE: "3" }

/** Shows the value that the flag has when each of the numbers is given for it, or none. */
const bounded = flow(
  `
flags: { n: { default: 2 } }
stages: [{ id: one, uses: set, with: { value: "\${{ flags }}" } }]
`,
  {
    observe: async (folder) => {
      const shown: Array<Json> = []
      Object.assign(process.env, variables)
      for (const n of [undefined, 0, 1, 2, 3, 4]) {
        const { diagnostics, workflow } = await Effect.runPromise(
          Effect.scoped(
            check(join(folder, "flow.yaml"), {
              extraPlugins: [stageKinds],
              flags: n === undefined ? {} : { n },
            }),
          ),
        )
        const refused = diagnostics.some(({ code }) => code === "PL4015")
        shown.push(refused ? "refused" : (workflow?.definition.flags["n"]?.value ?? null))
      }
      for (const name of Object.keys(variables)) delete process.env[name]
      return { shown }
    },
  },
)

const ofUser = flow(`stages: [{ id: see, uses: work, with: { value: 1 } }]`, {
  user: { id: "ada", role: "boss" },
})

const speaking = flow(`
texts: {}
stages: [{ id: one, uses: work, with: { value: "\${{ texts.clarify }}" } }]
`)

const modes = (more = "") => ({
  ...flow(
    `
prompts: { a: a.md, b: b.md }
modes: { full: { sections: [a, b]${more} } }
defaults: { model: scripted/one }
stages:
  - { id: ask, uses: agent, prompt: { use: a, mode: full }, with: { task: Speak., tools: [weigh, lift, { name: leave, ends: true }] } }
`,
    {
      files: { "a.md": "You are A.\n", "b.md": "You are B.\n" },
      tools: { weigh: { result: 1 }, lift: { result: 1 }, leave: { result: 1 } },
      replies: many({ text: "done" }),
    },
  ),
})

/** A stage that shows documents. */
const reading = (value: string) =>
  flow(
    `
documents: { guide: { tool: read_a } }
stages: [{ id: one, uses: work, with: { value: "\${{ ${value} }}" } }]
`,
    {
      tools: {
        read_a: { result: { text: "a", other: "c" } },
        read_b: { result: { text: "b", other: "d" } },
      },
    },
  )

export const workflowExamples: ReadonlyArray<KeyExample> = [
  ...examples({ owner, world: simple }, [
    ["name", "one", "other"],
    ["inputs", { n: { type: "integer", default: 2 } }, { n: { type: "integer", default: 3 } }],
    ["timeout", "1s", "2s"],
    ["stages", [{ id: "one", uses: "work" }], [{ id: "one", uses: "work", with: { takes: 9 } }]],
    ["finally", [{ id: "end", uses: "work" }], [{ id: "last", uses: "work" }]],
    ["outputs", { one: "${{ stages.one.output }}" }, { other: "${{ inputs.n }}" }],
    ["outputs.*.value", "outputs.one.value", "${{ inputs.n }}", "${{ inputs.n + 1 }}"],
  ]),
  ...examples({ owner, world: looks }, [
    ["use", { files: ["a.yaml"] }, { plugins: ["first"] }],
    ["use.files", ["a.yaml"], ["b.yaml"]],
    ["use.plugins", ["first"], ["other"]],
  ]),
  ...examples({ owner, world: plugged }, [["secrets", ["KEY"], byDefault([])]]),
  ...examples({ owner, world: flagged }, [["flags", { fast: true }, { fast: false }]]),
  ...examples({ owner: "Workflow.flags.*", world: bounded, at: "flags.n" }, [
    ["default", 1, 3],
    ["minimum", 2, 1],
    ["maximum", 2, 3],
    ["enum", [2, 3], [1, 2, 3]],
    ["env", "PLANLOOM_KEYS_THREE", "PLANLOOM_KEYS_ONE"],
  ]),
  ...examples({ owner, world: ofUser }, [
    ["user", { type: "object" }, { type: "object", properties: { id: { type: "integer" } } }],
  ]),
  ...examples({ owner, world: speaking }, [
    ["texts", { clarify: { en: "Pardon?" } }, { clarify: { en: "Excuse me?" } }],
  ]),
  ...examples({ owner, world: asking() }, [
    ["defaults", { model: "scripted/one" }, { model: "scripted/two" }],
    ["defaults.model", "scripted/one", "scripted/two"],
  ]),
  ...examples({ owner, world: asking("defaults: { model: main }") }, [
    ["models", { main: "scripted/one" }, { main: "scripted/two" }],
  ]),
  ...examples({ owner, world: simple }, [["defaults.timeout", "1s", "2s"]]),
  ...examples({ owner, world: modes() }, [
    ["prompts", { a: "a.md", b: "a.md" }, { a: "b.md", b: "a.md" }],
    ["modes", { full: { sections: ["b"] } }, { full: { sections: ["b", "a"] } }],
  ]),
  ...examples({ owner, world: reading("documents") }, [
    ["documents", { guide: { tool: "read_b" } }, { other: { tool: "read_a" } }],
  ]),
  ...examples(
    { owner: "Workflow.documents.*", world: reading("documents.guide"), at: "documents.guide" },
    [
      ["tool", "read_a", "read_b"],
      ["params", { of: 1 }, { of: 2 }],
      ["field", "documents.guide.field", "other", byDefault("text")],
    ],
  ),
  ...examples({ owner: "Workflow.modes.*", world: modes(), at: "modes.full" }, [
    ["sections", ["a"], ["b"]],
    ["tools", "none", ["weigh"]],
    ["max_tokens", 1, 4],
  ]),
  ...examples(
    {
      owner: "Workflow.modes.*.tools",
      world: modes(", tools: { load: lazy }"),
      at: "modes.full.tools",
    },
    [
      ["offer", "none", "navigation"],
      ["load", "full", "lazy"],
      ["hot", ["weigh"], ["lift"]],
    ],
  ),
  ...examples(
    {
      owner: "Workflow.modes.*.tools",
      world: modes(", tools: { load: full }"),
      at: "modes.full.tools",
    },
    [["max_tokens", 1, byDefault(1000)]],
  ),
  ...examples({ owner: "Workflow.modes.*", world: modes(", max_tokens: 4"), at: "modes.full" }, [
    ["truncate", ["a"], ["b"]],
  ]),
]
