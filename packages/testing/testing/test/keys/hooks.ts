/** Examples of the keys of hooks in use: of a workflow, a stage and a hook set. */
import * as Effect from "effect/Effect"
import { hook, StageFailed, subagent, type JsonObject } from "@planloom/plugin/effect"
import type { KeyExample } from "./KeyExample.ts"
import type { World } from "./World.ts"
import { byDefault, examples, file, flow, many, mapping } from "./worlds.ts"

const said = hook<"after_stage", { readonly add?: string; readonly takes?: number }>({
  id: "add",
  summary: "Adds a word to the output.",
  point: "after_stage",
  kind: "transform",
  input: {
    type: "object",
    properties: { add: { type: "string" }, takes: { type: "integer" } },
    additionalProperties: false,
  },
  run: ({ output }, { with: { add = "more", takes = 0 } }) =>
    Effect.as(Effect.sleep(takes), { output: `${String(output)} ${add}` }),
})

const broken = hook({
  id: "broken",
  summary: "Fails.",
  point: "after_stage",
  kind: "observe",
  run: () => Effect.fail(new StageFailed({ class: "internal", message: "broken" })),
})

const last = hook<"after_stage", { readonly add?: string }>({
  id: "last",
  summary: "Adds a word to the output.",
  point: "after_stage",
  kind: "transform",
  input: { type: "object", properties: { add: { type: "string" } } },
  run: ({ output }, { with: { add = "last" } }) => ({ output: `${String(output)} ${add}` }),
})

const other = hook<"after_stage">({
  id: "other",
  summary: "Replaces the output.",
  point: "after_stage",
  kind: "transform",
  run: () => ({ output: "other" }),
})

/** Sees every call of a model and a tool, and each section. */
const finds = hook({
  id: "finds",
  summary: "Finds something.",
  point: "section_build",
  kind: "review",
  run: () => ({ verdict: "flag", confidence: 1, reason: "seen" }),
  also: {
    before_model: () => ({ verdict: "flag", confidence: 1, reason: "asked" }),
    before_tool: () => ({ verdict: "flag", confidence: 1, reason: "called" }),
  },
})

const judge = (id: string) =>
  subagent({
    id,
    summary: "Asks its model.",
    class: "quality",
    can: ["pass"],
    at: "whole",
    scope: "last",
    review: (_, { model }) =>
      Effect.as(model.text({ messages: [{ role: "user", content: "Is it good?" }] }), {
        verdict: "pass" as const,
        confidence: 1,
        reason: "good",
      }),
  })

const components = () => ({
  hooks: [said, broken, other, finds, last],
  subagents: [judge("strict"), judge("mild")],
})

const one = {
  body: `
stages: [{ id: one, uses: work, with: { value: tea } }, { id: two, uses: work, with: { value: milk } }]
outputs: { both: { value: "\${{ [stages.one.output, stages.two.output] }}" } }
`,
  world: { components },
}

/** Calls of two models with two modes, and of two tools. */
const asking = {
  body: `
prompts: { a: a.md, b: b.md }
modes: { full: { sections: [a, b] }, brief: { sections: [b] } }
defaults: { model: scripted/one }
stages:
  - { id: ask, uses: agent, prompt: { use: a, mode: full }, with: { task: Weigh., tools: [weigh, count] } }
  - { id: say, uses: generate, model: scripted/two, prompt: { use: a, mode: brief }, with: { task: Say. } }
`,
  world: {
    components,
    files: { "a.md": "You weigh.\n", "b.md": "You are short.\n" },
    tools: { weigh: { result: 7 }, count: { result: 1 } },
    replies: {
      one: [
        {
          tool_calls: [
            { name: "weigh", arguments: {} },
            { name: "count", arguments: {} },
          ],
        },
        ...many({ text: "done" }),
      ],
      two: many({ text: "said" }),
    },
  },
}

/** A reply that two reviewers ask a model about. */
const judged = {
  body: `
shadow: { gate: [strict, mild] }
stages: [{ id: say, uses: generate, model: scripted/one, with: { task: Say. } }]
`,
  world: { components, replies: many({ text: "said" }) },
}

type Scene = { readonly body: string; readonly world: Partial<World> }

const inStages = ({ body, world }: Scene, uses: string): World => {
  const { stages, ...rest } = mapping(body) as { readonly stages: ReadonlyArray<JsonObject> }
  const hooks = mapping(`hooks: [${uses}]`)
  return {
    ...world,
    files: {
      ...world.files,
      "flow.yaml": {
        ...file("Workflow", "name: flow"),
        ...(rest as JsonObject),
        stages: [{ id: "outer", stages: stages as never, ...hooks }],
        ...("outputs" in rest
          ? mapping(
              'outputs: { both: { value: "${{ [stages.outer.output.one, stages.outer.output.two] }}" } }',
            )
          : {}),
      },
    },
  }
}

/** Where hooks are written, and the world of a scene with them. */
const places: ReadonlyArray<{
  readonly owner: string
  readonly at: string
  readonly file?: string
  readonly world: (scene: Scene, ...uses: ReadonlyArray<string>) => World
}> = [
  {
    owner: "workflow hooks",
    at: "hooks.0",
    world: ({ body, world }, ...uses) => flow(`${body}\nhooks: [${uses.join(", ")}]`, world),
  },
  {
    owner: "stage hooks",
    at: "stages.0.hooks.0",
    world: (scene, ...uses) => inStages(scene, uses.join(", ")),
  },
  {
    owner: "HookSet.hooks",
    at: "hooks.0",
    file: "set.yaml",
    world: ({ body, world }, ...uses) =>
      flow(`${body}\nuse: { files: [set.yaml] }`, {
        ...world,
        files: {
          ...world.files,
          "set.yaml": file("HookSet", `name: set\nhooks: [${uses.join(", ")}]`),
        },
      }),
  },
]

const ofPlace = ({ at, file: path, owner, world }: (typeof places)[number]) => [
  ...examples(
    {
      owner,
      at,
      ...(path && { file: path }),
      world: world(one, "{ use: add, with: { add: milk } }", "{ use: last, with: { add: sugar } }"),
    },
    [
      ["phase", "late", byDefault("normal")],
      ["priority", 200, byDefault(100)],
    ],
  ),
  ...examples(
    {
      owner,
      at,
      ...(path && { file: path }),
      world: world(one, "{ use: add }", "{ use: last }"),
    },
    [["after", "last", byDefault("add")]],
  ),
  ...examples(
    {
      owner,
      at,
      ...(path && { file: path }),
      world: world(one, "{ use: last }", "{ use: add }"),
    },
    [["before", "add", byDefault("last")]],
  ),
  ...examples({ owner, at, ...(path && { file: path }), world: world(asking, "{ use: finds }") }, [
    ["point", "before_tool", ["section_build", "before_model"]],
    ["stage", "ask", ["say"]],
    ["section", "a", "b"],
    ["mode", "full", "brief"],
    ["tool", "weigh", "count"],
    ["model", "scripted/one", "scripted/two"],
  ]),
  ...examples(
    {
      owner,
      at,
      ...(path && { file: path }),
      world: world(judged, "{ use: finds, point: before_model }"),
    },
    [["reviewer", "strict", "mild"]],
  ),
  ...examples({ owner, at, ...(path && { file: path }), world: world(one, "{ use: add }") }, [
    ["use", "add", "other"],
    ["with", { add: "milk" }, { add: "sugar" }],
    ["when", "draft.output == 'milk'", "draft.output == 'tea'"],
  ]),
  ...examples(
    {
      owner,
      at,
      ...(path && { file: path }),
      world: world(one, "{ use: add, with: { takes: 9000 } }"),
    },
    [["timeout", "1s", "2s"]],
  ),
  ...examples({ owner, at, ...(path && { file: path }), world: world(one, "{ use: broken }") }, [
    ["on_error", "fail", byDefault("skip")],
  ]),
]

const set = places[2]!

export const hookExamples: ReadonlyArray<KeyExample> = [
  ...places.flatMap(ofPlace),
  ...examples({ owner: "HookSet", file: "set.yaml", world: set.world(one) }, [
    ["hooks", [{ use: "add" }], [{ use: "other" }]],
  ]),
]
