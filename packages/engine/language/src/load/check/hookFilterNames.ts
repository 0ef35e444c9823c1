/** Names of a workflow that the filters of hooks can select. */
import type { HookFilter } from "@planloom/plugin/effect"
import { promptModes, TASK, TOOLS } from "../../definition/promptModes.ts"
import type { Analysis } from "../../definition/scope/Analysis.ts"
import { modelUses } from "../../definition/scope/uses/modelUses.ts"

export type FilterKey = keyof HookFilter

export const filterNames: {
  readonly [key in FilterKey]-?: (analysis: Analysis) => ReadonlyArray<string>
} = {
  stage: ({ tree }) => tree.all.map(({ stage }) => stage.id),
  tool: ({ resources }) => resources.tools.map(({ name }) => name),
  mode: ({ definition, resources }) => Object.keys(promptModes(definition, resources)),
  model: ({ definition, tree }) => [
    ...new Set(
      modelUses(definition, tree).flatMap(({ name }) =>
        Object.hasOwn(definition.models, name) ? [] : [name],
      ),
    ),
  ],
  reviewer: ({ resources }) => [
    ...resources.components.subagents.keys(),
    ...resources.components.validators.keys(),
  ],
  section: ({ definition, resources, tree }) => [
    ...new Set([
      ...(Object.keys(definition.prompts).length === 0 ? [] : [TASK]),
      ...Object.keys(definition.prompts),
      ...resources.sections.keys(),
      ...tree.all.flatMap(({ stage }) => [
        ...(resources.components.stages.get(stage.uses ?? "")?.sections ?? []),
        ...(stage.examples === undefined ? [] : [EXAMPLES]),
      ]),
      ...(resources.tools.length === 0 ? [] : [ANSWER]),
    ]),
  ],
}

/** Sections of prompts that options of hooks can name. */
export const sectionNames = (analysis: Analysis): ReadonlyArray<string> => [
  ...filterNames.section(analysis),
  ...Object.keys(analysis.definition.documents),
  TOOLS,
]

/** The section of examples that are shown in the system prompt. */
const EXAMPLES = "examples"

/** The section that asks an agent for an answer of a schema. */
const ANSWER = "answer"
