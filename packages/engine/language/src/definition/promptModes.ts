/** Prompt modes of a workflow: those that it declares, and `full`, `routing` and `minimal`, which every workflow has. */
import type { Definition, Mode } from "./Definition.ts"
import type { Resources } from "./Resources.ts"

/** The section of a mode that is the stage's own prompt. */
export const TASK = "task"

/** The section that names the tools of the workflow, unless it has a prompt of this name. */
export const TOOLS = "tools"

interface ShippedMode extends Pick<Mode, "tools"> {
  /** Names of prompts; a workflow has any of them. */
  readonly sections: ReadonlyArray<string>
  /** The section that replaces the stage's own prompt; unless it is set, the prompt itself is a section. */
  readonly instead?: string
}

/** A mode that a workflow declares takes the place of the one of the same name. */
const shippedModes: { readonly [name: string]: ShippedMode } = {
  full: {
    sections: [
      "base_prompt",
      "agent_description",
      "navigation",
      "language_directive",
      "user_profile",
      "product_context",
      "compacted_history",
      "flow_state",
    ],
    tools: "all",
  },
  routing: {
    sections: ["agent_summary", "navigation", "language_directive", "user_name"],
    instead: "routing_identity",
    tools: "navigation",
  },
  minimal: { sections: ["language_directive"], instead: "task_instructions", tools: "task" },
}

/** The declared ones first. */
export const modeNames = ({ modes }: Pick<Definition, "modes">): ReadonlyArray<string> => [
  ...new Set([...Object.keys(modes), ...Object.keys(shippedModes)]),
]

/** By name, the declared ones first. */
export const promptModes = (
  { modes }: Pick<Definition, "modes">,
  resources: Pick<Resources, "prompts">,
): Definition["modes"] => {
  const all: { [name: string]: Mode } = { ...modes }
  for (const [name, mode] of Object.entries(shippedModes)) {
    if (!Object.hasOwn(all, name)) all[name] = shippedMode(mode, resources)
  }
  return all
}

/** Sections that change stand last, so that a provider may cache those before them. */
const shippedMode = (
  { instead, sections, tools }: ShippedMode,
  { prompts }: Pick<Resources, "prompts">,
): Mode => {
  const isReplaced = instead !== undefined && prompts.has(instead)
  const present = [...(isReplaced ? [instead] : []), ...sections].filter((name) =>
    prompts.has(name),
  )
  const changes = (name: string) => prompts.get(name)!.text.includes("${{")
  return {
    sections: [
      ...present.filter((name) => !changes(name)),
      ...(isReplaced ? [] : [TASK]),
      ...present.filter(changes),
    ],
    tools,
    max_tokens: undefined,
    truncate: [],
  }
}
