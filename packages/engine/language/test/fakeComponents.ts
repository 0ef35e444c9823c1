/** Small stage kinds, providers and tools, for workflows that are only checked. */
import type { Embedder, Index, JsonSchema, StageKind, Tool } from "@planloom/plugin/effect"
import type { ModelFacts } from "@planloom/plugin/facts"
import type { KnownComponents, Resources } from "../src/definition/Resources.ts"

const object = (
  properties: { readonly [name: string]: JsonSchema },
  required: ReadonlyArray<string> = Object.keys(properties),
): JsonSchema => ({ type: "object", properties, required, additionalProperties: false })

const text = { type: "string" } as const

const requirement = object({
  id: text,
  text,
  must: { type: "boolean" },
  kind: { enum: ["metric", "chart", "filter"] },
})

const requirements = { type: "array", items: requirement } as const

const plan = object({
  steps: { type: "array", items: object({ id: text, tool: text }) },
})

const kind = (
  id: string,
  input: JsonSchema,
  output: StageKind["output"],
  refers?: StageKind["refers"],
  streams?: string,
): StageKind =>
  ({
    id,
    summary: id,
    input,
    output,
    ...(refers && { refers }),
    ...(streams && { streams }),
  }) as StageKind

/** References of a key that holds one name or a list of names. */
const refersTo =
  (to: string, key: string): StageKind["refers"] =>
  ({ [key]: value }) =>
    Array.isArray(value)
      ? value.map((id, index) => ({ to, id: String(id), at: [key, index] }))
      : [{ to, id: value as string, at: [key] }]

export const fakeKinds: ReadonlyArray<StageKind> = [
  kind(
    "extract",
    object({ text, schema: text, attach: { type: "array", items: text } }, ["text"]),
    object({ confidence: { type: "number" }, requirements, note: text }, [
      "confidence",
      "requirements",
    ]),
  ),
  kind(
    "narrow",
    object(
      {
        requirements,
        limit: { type: "integer", minimum: 1, maximum: 32, default: 8 },
        always: { type: "array", items: text },
      },
      ["requirements"],
    ),
    object({ tools: { type: "array", items: text } }),
    refersTo("tool", "always"),
  ),
  kind(
    "adapt",
    object(
      { template: text, requirements, tools: { type: "array", items: text }, feedback: text },
      ["requirements"],
    ),
    object({ plan }),
    refersTo("PlanTemplate", "template"),
  ),
  kind(
    "cover",
    object({ plan, requirements }),
    object({
      ok: { type: "boolean" },
      ratio: { type: "number" },
      missing: { type: "array", items: text },
    }),
  ),
  kind(
    "execute",
    object({ plan, max_parallel: { type: "integer", default: 1 } }, ["plan"]),
    object({ results: { type: "array", items: object({ step: text, ok: { type: "boolean" } }) } }),
  ),
  kind(
    "reflect",
    object({ results: true }),
    object({ done: { type: "boolean" }, plan, feedback: text }),
  ),
  kind(
    "respond",
    object({ results: true, tone: { enum: ["plain", "warm"], default: "plain" } }, ["results"]),
    object({ text, score: { anyOf: [{ type: "number" }, { type: "null" }] } }),
    undefined,
    "text",
  ),
  kind("plan_turn", object({ text }), object({ intent: text })),
  kind("note", object({ text }), object({})),
  {
    ...kind(
      "call",
      object({ tool: text, params: { type: "object", default: {} } }, ["tool"]),
      true,
      refersTo("tool", "tool"),
    ),
    expects: ({ tool }, receivers) => ({ params: receivers.tool(String(tool)) }),
  },
  kind("shape", object({ schema: { type: "object", format: "json-schema" } }), object({})),
]

const tool = (name: string, params: JsonSchema = { type: "object" }): Tool => ({
  name,
  summary: name,
  capabilities: [],
  inputs: {},
  params,
  outputs: [],
})

const components: KnownComponents = {
  stages: new Map(fakeKinds.map((one) => [one.id, one])),
  providers: new Map(["scripted", "vendor"].map((id) => [id, { id, summary: id }])),
  embedders: new Map([["openai", { id: "openai" } as Embedder]]),
  rerankers: new Map(),
  indexes: new Map([["embedded", { id: "embedded" } as Index]]),
  tools: new Map(),
  hooks: new Map(),
  subagents: new Map(),
  validators: new Map(),
  stores: new Map(),
  domains: new Map(),
}

const unpaid: ModelFacts = {
  context: undefined,
  max_output: undefined,
  price: { input: 0, output: 0, cached: undefined, written: undefined, long: undefined },
  capabilities: [],
  refuses: [],
  structured: undefined,
  tokenizer: undefined,
}

/** Resources with these prompts: name to Markdown. */
export const fakeResources = (prompts: { readonly [name: string]: string } = {}): Resources => ({
  components,
  tools: [
    tool("aggregate"),
    tool("plot_line"),
    tool(
      "refund",
      object({ id: { type: "integer" }, reason: { enum: ["late", "broken"] }, note: text }, ["id"]),
    ),
  ],
  files: new Map([["PlanTemplate", [{ name: "analysis" }]]]),
  manifests: {
    "@planloom/provider-openai": {
      api: 1,
      contributes: { components: { providers: { openai: {} } } },
    },
  },
  prompts: new Map(
    Object.entries(prompts).map(([name, body]) => [
      name,
      { name, path: `prompts/${name}.md`, text: body },
    ]),
  ),
  sections: new Map(),
  facts: new Map([
    ["vendor/small", { ...unpaid, context: 8000, max_output: 1000 }],
    ["vendor/blind", { ...unpaid, capabilities: ["tools"] }],
    ["vendor/stubborn", { ...unpaid, refuses: ["temperature"], reasoning: ["low", "high"] }],
    ["scripted/*", unpaid],
  ]),
})
