/** Checks the gate of a section: what it stands on must have texts of a model, of which it can read each before it is shown. */
import { literalEntries } from "@planloom/expression"
import type { Bound, JsonSchema, StageKind, Tool } from "@planloom/plugin/effect"
import { factsOf, type Facts } from "@planloom/plugin/facts"
import type { Definition, DocumentPath, Stage } from "../../definition/Definition.ts"
import type { Problem } from "../../definition/Problem.ts"
import { ownMember } from "../../definition/ownMember.ts"
import type { Resources } from "../../definition/Resources.ts"

export const gateProblems = (
  key: string,
  /** Of the section. */
  path: DocumentPath,
  { gate }: Bound,
  definition: Definition,
  {
    components,
    facts = new Map() as Facts,
    tools,
  }: Pick<Resources, "components" | "facts" | "tools">,
): ReadonlyArray<Problem> => {
  if (gate === undefined) return []
  const owner = path.slice(0, -1)
  const problem = (message: string, help: string): Problem => ({
    code: "PL4004",
    message,
    path,
    spot: "key",
    help,
  })
  const stages =
    owner.length === 0 ? allStages(definition.stages) : [stageAt(definition.stages, owner)]
  const replies = stages.flatMap((stage) => {
    const kind = stage?.uses === undefined ? undefined : components.stages.get(stage.uses)
    return stage === undefined || kind === undefined
      ? []
      : [{ kind, stage, reply: replyOf(stage, kind) }]
  })
  // Of a kind whose code is not loaded nothing is known.
  if (stages.some((stage) => stage?.uses !== undefined && !components.stages.has(stage.uses))) {
    return []
  }
  const streamed = replies.flatMap(({ reply, stage }) =>
    reply === "value" ? streamedTo(stage, definition).map((output) => ({ output, stage })) : [],
  )
  if (streamed.length > 0) {
    return streamed.map(({ output, stage }) =>
      problem(
        `"${key}" cannot review the value of "${stage.id}" while output "${output}" streams it: a field can be read when it is whole`,
        `remove \`stream\` from "${output}"; its texts are reviewed before it is shown`,
      ),
    )
  }
  const unreadable = replies.flatMap(({ kind, stage }) =>
    callsTools(kind, stage, tools)
      ? textCallers(stage, definition, facts).map((model) => ({ model, stage }))
      : [],
  )
  if (unreadable.length > 0) {
    return unreadable.map(({ model, stage }) =>
      problem(
        `"${key}" cannot read the calls of "${stage.id}": "${model}" is known to call tools in its text`,
        `use a model that calls tools natively; if this one does, list it in a file of kind Models under model_facts: "${model}": { capabilities: [tools] }`,
      ),
    )
  }
  if (replies.some(({ kind, stage }) => mayWrite(kind, stage, definition))) return []
  const kinds = [...components.stages.values()].flatMap(({ id, streams }) =>
    streams === undefined ? [] : [id],
  )
  return [
    problem(
      owner.length === 0
        ? `"${key}" reviews nothing: no stage of the workflow asks a model`
        : `"${key}" reviews nothing: "${stages[0]?.id ?? ""}" asks no model`,
      `a gate reads what a model writes, in a stage kind such as ${kinds.join(", ") || "generate"}`,
    ),
  ]
}

/** Whether a model is offered tools, as far as the kind declares its questions. */
const callsTools = (kind: StageKind, stage: Stage, tools: ReadonlyArray<Tool>): boolean => {
  const given = literalEntries(stage.with)
  const open = Object.keys(stage.with).filter((name) => !Object.hasOwn(given, name))
  try {
    const { questions = [] } = kind.asks?.({ with: given, open, can: () => false, tools }) ?? {}
    return questions.some(
      ({ tools: offers, turns, way }) => offers === true || (way === "agent" && turns !== 1),
    )
  } catch {
    // A `with` that the kind cannot read is reported by itself.
    return false
  }
}

/** The models of a stage whose facts say that they do not call tools. */
const textCallers = (
  { model: own }: Stage,
  { defaults, models }: Definition,
  facts: Facts,
): ReadonlyArray<string> => {
  const name = own ?? defaults.model
  if (name === undefined) return []
  const names = ownMember(models, name)?.try ?? [name]
  return names.filter((one) => factsOf(one, facts)?.capabilities.includes("tools") === false)
}

/** Whether a text of a model may be in what the stage gives. */
const mayWrite = (kind: StageKind, stage: Stage, { defaults }: Definition): boolean =>
  kind.model !== undefined ||
  kind.streams !== undefined ||
  kind.refers?.(literalEntries(stage.with), stage.with).some(({ to }) => to === "workflow") ===
    true ||
  (kind.run !== undefined && kind.relays !== true && (stage.model ?? defaults.model) !== undefined)

/** The form of the reply that a stage streams. */
const replyOf = (stage: Stage, kind: StageKind): "text" | "value" | undefined => {
  const literals = literalEntries(stage.with)
  const field = typeof kind.streams === "function" ? kind.streams(literals) : kind.streams
  if (field === undefined) return undefined
  if (typeof kind.output === "function") return field === "text" ? "text" : "value"
  const { properties = {} } = kind.output as {
    readonly properties?: { [name: string]: JsonSchema }
  }
  return (properties[field] as { readonly type?: unknown } | undefined)?.type === "string"
    ? "text"
    : "value"
}

const streamedTo = ({ id }: Stage, { outputs }: Definition): ReadonlyArray<string> =>
  Object.entries(outputs).flatMap(([name, { stream, value }]) =>
    stream && typeof value === "string" && value.includes(`stages.${id}.`) ? [name] : [],
  )

const allStages = (stages: ReadonlyArray<Stage>): ReadonlyArray<Stage> =>
  stages.flatMap((stage) => [stage, ...allStages(stage.stages ?? [])])

/** The stage at `["stages", 0, "stages", 1]`. */
const stageAt = (stages: ReadonlyArray<Stage>, path: DocumentPath): Stage | undefined => {
  const stage = stages[Number(path[1])]
  return path.length <= 2 || stage === undefined
    ? stage
    : stageAt(stage.stages ?? [], path.slice(2))
}
