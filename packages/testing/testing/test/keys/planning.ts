/** Examples of the keys of planning stage kinds, and of plan templates. */
import type { Json } from "@planloom/plugin/effect"
import { embedded } from "@planloom/retrieval"
import { deskIntents, deskTools } from "../desk.ts"
import type { KeyExample } from "./KeyExample.ts"
import type { World } from "./World.ts"
import { byDefault, examples, file, flow, many } from "./worlds.ts"

export const at = "stages.0.with"

const template = (name: string, tool: string) => `
name: ${name}
intent: Cook.
match: { task: ["*"] }
tools: [${tool}]
steps: [{ id: first, tool: ${tool}, satisfies: [task] }]
`

const steps = [
  { id: "first", tool: "boil", inputs: { water: "source" }, params: {}, satisfies: ["task:boil"] },
  {
    id: "second",
    tool: "boil",
    inputs: { water: "source" },
    params: { n: 2 },
    satisfies: ["task:boil"],
  },
  { id: "third", tool: "pour", inputs: { water: "first" }, params: {}, satisfies: ["task:pour"] },
]

export const kitchen = (
  uses: string,
  inputs: { readonly [key: string]: Json },
  more: Partial<World> = {},
): World => {
  const world = flow(
    `use: { files: [first.yaml, other.yaml, third.yaml] }
stages: [{ id: one, uses: ${uses} }]
outputs: { one: { value: "\${{ stages.one.output }}" } }`,
    {
      tools: {
        boil: {
          result: "hot",
          delay: 1000,
          tool: {
            summary: "Boils water.",
            inputs: { water: "water" },
            outputs: ["water"],
            capabilities: ["boil"],
          },
        },
        pour: {
          result: "cup",
          delay: 1000,
          tool: {
            summary: "Pours water.",
            inputs: { water: "water" },
            outputs: ["cup"],
            capabilities: ["pour"],
          },
        },
        grind: {
          result: "dust",
          delay: 1000,
          tool: { summary: "Grinds beans.", outputs: ["dust"], capabilities: ["grind"] },
        },
      },
      files: {
        "first.yaml": file("PlanTemplate", template("first", "boil")),
        "other.yaml": file("PlanTemplate", template("other", "grind")),
        "third.yaml": file("PlanTemplate", template("third", "pour")),
      },
      ...more,
    },
  )
  const written = world.files["flow.yaml"] as { readonly stages: ReadonlyArray<object> }
  return {
    ...world,
    files: {
      ...world.files,
      "flow.yaml": { ...written, stages: [{ ...written.stages[0], with: inputs }] },
    },
  }
}

/** Its stage asks a model, which always gives this reply. */
export const asked = (world: World, json: Json): World => {
  const written = world.files["flow.yaml"] as { readonly stages: ReadonlyArray<object> }
  return {
    ...world,
    replies: many({ json }),
    files: {
      ...world.files,
      "flow.yaml": { ...written, stages: [{ ...written.stages[0], model: "scripted/one" }] },
    },
  }
}

export const task = (label: string) => [{ kind: "task", label, tools: [label], query: label }]

export const desk = (uses: string, inputs: { readonly [key: string]: Json }): World => ({
  ...kitchen(uses, inputs, {
    tools: deskTools,
    components: () => ({ indexes: [embedded] }),
    files: {
      "first.yaml": file("PlanTemplate", template("first", "find_room")),
      "other.yaml": file("PlanTemplate", template("other", "book_room")),
      "third.yaml": file("PlanTemplate", template("third", "book_room")),
    },
  }),
})

/** A turn's plan as a model writes it. */
export const reply = {
  intent: "booking",
  reasoning_summary: "By its words.",
  chat_response: "One moment.",
  candidate_tools: ["book_room"],
  arguments: { nights: 2 },
  confidence: 0.9,
}

const { confidence: _confidence, ...unsaid } = reply

export const turn = { ...reply, each: false, settled: true, open: [] }

const failing = {
  tools: {
    boil: {
      fail: { class: "tool_error" as const },
      tool: { inputs: { water: "water" }, outputs: ["water"] },
    },
    pour: { result: "cup", tool: { inputs: { water: "water" } } },
    grind: { result: 1 },
  },
}

export const adapting = { requirements: task("boil"), tools: ["boil", "pour", "grind"] }

export const planningExamples: ReadonlyArray<KeyExample> = [
  ...examples(
    { owner: "narrow", at, world: kitchen("narrow", { requirements: task("boil"), limit: 2 }) },
    [
      ["requirements", task("boil"), task("grind")],
      ["question", "Grind beans.", "Pour water."],
      ["limit", 1, 3],
      ["template", "third", "other"],
      ["safety", ["pour"], ["grind"]],
    ],
  ),
  ...examples(
    {
      owner: "narrow",
      at,
      world: kitchen("narrow", {
        requirements: [
          { kind: "task", label: "fry potatoes" },
          { kind: "task", label: "boil potatoes" },
        ],
        safety: [],
        limit: 2,
      }),
    },
    [["least", 0.05, 0.9]],
  ),
  ...examples({ owner: "adapt", at, world: kitchen("adapt", adapting) }, [
    ["requirements", task("pour"), task("grind")],
    ["tools", ["boil"], ["pour"]],
    ["template", "third", "other"],
    ["templates", ["third"], ["other"]],
    ["confidence", { threshold: 0 }, { threshold: 1 }],
  ]),
  ...examples(
    {
      owner: "cover",
      at,
      world: kitchen("cover", { plan: { steps }, requirements: task("boil") }),
    },
    [
      ["plan", { steps: [] }, { steps: steps.slice(0, 1) }],
      ["requirements", task("pour"), task("grind")],
    ],
  ),
  ...examples(
    { owner: "execute", at, world: kitchen("execute", { plan: { steps }, source: "cold" }) },
    [
      ["plan", { steps: steps.slice(0, 1) }, { steps: steps.slice(0, 2) }],
      ["source", "icy", "warm"],
      ["max_parallel", 1, byDefault(4)],
      ["max_steps", 1, 2],
    ],
  ),
  ...examples(
    {
      owner: "execute",
      at,
      world: kitchen("execute", { plan: { steps }, source: "cold" }, failing),
    },
    [["on_step_error", "keep", byDefault("fail")]],
  ),
  ...examples(
    {
      owner: "plan_turn",
      at,
      world: desk("plan_turn", { intents: deskIntents, text: "book a room for 2 nights" }),
    },
    [
      ["intents", deskIntents.slice(1), [{ id: "search", reply: "Looking." }, deskIntents[2]!]],
      ["intents.reply", `${at}.intents.1.reply`, "At once.", "With pleasure."],
      ["text", "book a room for 3 nights", "hello"],
    ],
  ),
  ...examples(
    {
      owner: "plan_turn",
      at,
      world: desk("plan_turn", {
        intents: [deskIntents[0]!, deskIntents[2]!],
        text: "find the rooms",
      }),
    },
    [["intents.id", `${at}.intents.0.id`, "booking", "cleaning"]],
  ),
  ...examples(
    {
      owner: "plan_turn",
      at,
      world: desk("plan_turn", { intents: deskIntents, text: "noon" }),
    },
    [
      [
        "history",
        [{ user: "book the table", assistant: "Book table: noon or 19:00?" }],
        [{ user: "book the tabel", assistant: "Book table: noon or 19:00?" }],
      ],
    ],
  ),
  ...examples(
    {
      owner: "plan_turn",
      at,
      world: asked(desk("plan_turn", { intents: deskIntents, text: "book both" }), {
        ...reply,
        candidate_tools: ["book_room", "book_table"],
      }),
    },
    [["intents.tools", `${at}.intents.1.tools`, "none", byDefault("alternatives")]],
  ),
  ...examples(
    {
      owner: "plan_turn",
      at,
      world: asked(desk("plan_turn", { intents: deskIntents, text: "book a room" }), {
        ...reply,
        confidence: 0.3,
      }),
    },
    [["clarify_below", 0.1, byDefault(0.4)]],
  ),
  ...examples(
    {
      owner: "plan_turn",
      at,
      world: asked(desk("plan_turn", { intents: deskIntents, text: "book a room" }), unsaid),
    },
    [["missing_confidence", 0.3, byDefault(0.8)]],
  ),
  ...examples({ owner: "act", at, world: desk("act", { plan: turn }) }, [
    ["plan", turn, { ...turn, arguments: { nights: 3 } }],
  ]),
  ...examples(
    {
      owner: "PlanTemplate",
      file: "first.yaml",
      world: kitchen("adapt", { ...adapting, templates: ["first"] }),
    },
    [
      [
        "steps",
        [{ id: "a", tool: "boil", satisfies: ["task"] }],
        [{ id: "b", tool: "boil", satisfies: ["task"] }],
      ],
      ["steps.id", "steps.0.id", "a", "b"],
      ["steps.tool", "steps.0.tool", "boil", "pour"],
      ["steps.inputs", "steps.0.inputs", { water: "source" }, { water: "other" }],
      ["steps.params", "steps.0.params", { n: 1 }, { n: 2 }],
    ],
  ),
  ...examples(
    {
      owner: "PlanTemplate",
      file: "first.yaml",
      world: kitchen("narrow", { requirements: task("boil"), limit: 2, template: "first" }),
    },
    [["tools", ["pour"], ["grind"]]],
  ),
]
