/** Examples of the keys by which a plan template is chosen and fitted. */
import type { KeyExample } from "./KeyExample.ts"
import { adapting, asked, kitchen } from "./planning.ts"
import { byDefault, examples, file } from "./worlds.ts"

const inTemplate = { owner: "PlanTemplate", file: "first.yaml" }

const adapted = kitchen("adapt", adapting)

/** A model reads the template's intent. */
const withModel = asked(kitchen("adapt", { ...adapting, template: "first" }), { modifications: [] })

/** A template whose step serves the requirement, and is optional where `rest` says so. */
const stepWith = (rest: string) => ({
  ...adapted,
  files: {
    ...adapted.files,
    "first.yaml": file(
      "PlanTemplate",
      `
name: first
intent: Cook.
match: { task: ["*"] }
tools: [boil]
steps: [{ id: warm, tool: boil, inputs: { water: source }${rest} }]
`,
    ),
  },
})

const each = "{ over: { $from: source, path: cups }, as: bowl, limit: 3 }"

export const templateExamples: ReadonlyArray<KeyExample> = [
  ...examples({ ...inTemplate, world: adapted }, [
    ["name", "warm", "hot"],
    ["match", { task: ["boil"] }, byDefault({})],
  ]),
  ...examples({ ...inTemplate, world: withModel }, [["intent", "Cook soup.", "Cook rice."]]),
  ...examples({ ...inTemplate, world: stepWith("") }, [
    ["steps.optional", "steps.0.optional", true, byDefault(false)],
  ]),
  ...examples({ ...inTemplate, world: stepWith(`, each: ${each}`) }, [
    [
      "steps.each",
      "steps.0.each",
      { over: { $from: "source" }, as: "cup" },
      { over: { $from: "source" }, as: "pot" },
    ],
    ["steps.each.over", "steps.0.each.over", { $from: "source" }, { $from: "soup" }],
    ["steps.each.over.$from", "steps.0.each.over.$from", "source", "soup"],
    ["steps.each.over.path", "steps.0.each.over.path", "list", "rows"],
    ["steps.each.as", "steps.0.each.as", "cup", "pot"],
    ["steps.each.limit", "steps.0.each.limit", 2, 4],
  ]),
  ...examples({ ...inTemplate, world: stepWith(", optional: true") }, [
    ["steps.satisfies", "steps.0.satisfies", ["task:boil"], byDefault([])],
  ]),
]
