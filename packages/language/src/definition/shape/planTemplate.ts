/** The shape of a plan template: an intent, its curated tools, and the steps that serve it. */
import type { PlanTemplate, TemplateStep } from "@planloom/plugin"
import type { Shape } from "../Shape.ts"
import { jsonObject, list, map, record } from "./collections.ts"
import { header } from "./header.ts"
import { defaulted, object, required } from "./object.ts"
import { boolean, name, text } from "./scalars.ts"

const words = list(text(), { expected: "a list of words" })

const step: Shape<TemplateStep> = object(
  {
    id: required(name, "The step's name; other steps take its result by it."),
    tool: required(text("the name of a tool"), "The tool that does it."),
    inputs: defaulted(
      record(text("a step's id"), { names: "free" }),
      {},
      "Slot of the tool to the step whose result fills it; source is the workflow's data.",
    ),
    params: defaulted(jsonObject, {}, "Arguments that are known before the question."),
    satisfies: defaulted(words, [], "Requirement kinds, or kind:label, that it serves."),
    optional: defaulted(boolean, false, "Kept only when a requirement asks for it."),
  },
  {
    expected: "a step such as { id: totals, tool: aggregate }",
    aliases: { name: "id", uses: "tool", args: "params", with: "params", covers: "satisfies" },
  },
)

export const planTemplate: Shape<PlanTemplate> = map(
  object(
    {
      ...header("PlanTemplate"),
      name: required(name, "The template's name."),
      intent: required(text(), "The user intent that this plan serves."),
      match: defaulted(
        record(words, { names: "free" }),
        {},
        "Requirement labels it is for, by requirement kind.",
      ),
      tools: required(list(text("the name of a tool")), "The curated tools of this plan."),
      steps: required(list(step, { atLeast: 1, expected: "a list of steps" }), "In order."),
    },
    {
      expected: "a plan template",
      aliases: { id: "name", description: "intent", stages: "steps" },
    },
  ),
  ({ apiVersion: _version, kind: _kind, ...template }): PlanTemplate => template,
)
