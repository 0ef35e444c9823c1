/** Examples of the keys by which planning stages use a domain, a data profile, a model's confidence and past turns. */
import { tables } from "@planloom/analyst"
import type { Json } from "@planloom/plugin/effect"
import { deskIntents } from "../desk.ts"
import { planningDomain, plainRules, readRequirements, type Requirement } from "@planloom/planning"
import type { KeyExample } from "./KeyExample.ts"
import { adapting, asked, at, desk, kitchen, reply, task } from "./planning.ts"
import type { World } from "./World.ts"
import { examples } from "./worlds.ts"

/** A domain named by the type of its source, whose plans may always use the tool `safe`. */
const kitchenOf = (source: string, safe: string) =>
  planningDomain(source, `Planning with ${source}.`, {
    requirements: { type: "array" },
    planRules: (list) =>
      plainRules(readRequirements(list as unknown as ReadonlyArray<Requirement>)),
    source,
    safety: [safe],
  })

const inDomains = (world: World): World => ({
  ...world,
  components: () => ({ domains: [kitchenOf("water", "pour"), kitchenOf("cup", "grind")] }),
})

const boil = { id: "first", tool: "boil", params: {}, satisfies: ["task:boil"] }
const wired = { steps: [{ ...boil, inputs: { water: "source" } }] }

const profileOf = (column: string): Json => ({
  rows: 3,
  columns: [{ name: column, type: "string" }],
})

const counting = {
  plan: {
    steps: [
      {
        id: "first",
        tool: "count",
        inputs: { table: "source" },
        params: { group_by: ["region"] },
        satisfies: ["tool:count"],
      },
    ],
  },
  requirements: [{ kind: "tool", label: "count" }],
}

const overTable: World = kitchen("cover", counting, {
  components: () => ({ domains: [tables] }),
  tools: {
    boil: {},
    pour: {},
    grind: {},
    count: {
      tool: {
        inputs: { table: "table" },
        outputs: ["table"],
        capabilities: ["aggregate"],
        params: {
          type: "object",
          properties: { group_by: { type: "array", items: { type: "string" } } },
        },
      },
    },
  },
})

export const domainExamples: ReadonlyArray<KeyExample> = [
  ...examples(
    {
      owner: "narrow",
      at,
      world: inDomains(kitchen("narrow", { requirements: task("boil"), limit: 1 })),
    },
    [["domain", "water", "cup"]],
  ),
  ...examples(
    {
      owner: "adapt",
      at,
      world: inDomains(kitchen("adapt", { ...adapting, template: "third" })),
    },
    [["domain", "water", "cup"]],
  ),
  ...examples(
    {
      owner: "cover",
      at,
      world: inDomains(kitchen("cover", { plan: wired, requirements: task("boil") })),
    },
    [["domain", "water", "cup"]],
  ),
  ...examples(
    {
      owner: "reflect",
      at,
      world: asked(
        inDomains(
          kitchen("reflect", {
            request: "Boil water.",
            plan: { steps: [] },
            results: { steps: {}, calls: [] },
            requirements: task("boil"),
          }),
        ),
        { strategy: "extend", plan: wired },
      ),
    },
    [["domain", "water", "cup"]],
  ),
  ...examples(
    {
      owner: "plan",
      at,
      world: asked(inDomains(kitchen("plan", { request: "Boil water.", calling: "json" })), {
        plan: { steps: [{ id: "first", tool: "boil", params: {}, inputs: { water: "source" } }] },
      }),
    },
    [["domain", "water", "cup"]],
  ),
  ...examples(
    {
      owner: "execute",
      at,
      world: inDomains(
        kitchen("execute", { plan: { steps: [{ ...boil, inputs: {} }] }, source: "cold" }),
      ),
    },
    [["domain", "water", "cup"]],
  ),
  ...examples({ owner: "cover", at, world: overTable }, [
    ["profile", profileOf("regions"), profileOf("regio")],
  ]),
  ...examples(
    { owner: "adapt", at, world: asked(kitchen("adapt", adapting), { modifications: [] }) },
    [["profile", profileOf("region"), profileOf("price")]],
  ),
  ...examples(
    {
      owner: "adapt",
      at,
      world: asked(kitchen("adapt", { ...adapting, confidence: {} }), {
        modifications: [],
        confidence: 0.5,
      }),
    },
    [
      ["confidence.threshold", 0.4, 0.6],
      ["confidence.clarify", "How hot?", "How much?"],
    ],
  ),
  ...examples(
    {
      owner: "plan_turn",
      at,
      world: asked(desk("plan_turn", { intents: deskIntents, text: "two nights" }), reply),
    },
    [["today", "2026-03-01", "2026-03-02"]],
  ),
]
