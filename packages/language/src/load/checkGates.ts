/** Checks the gate of a section: what it stands on must have texts of a model, of which it can read each before it is shown. */
import { literalEntries } from "@planloom/expression"
import type { Bound, JsonSchema, StageKind } from "@planloom/plugin/effect"
import type { Definition, DocumentPath, Stage } from "../definition/Definition.ts"
import type { Problem } from "../definition/Problem.ts"
import type { Resources } from "../definition/Resources.ts"

export const gateProblems = (
  key: string,
  /** Of the section. */
  path: DocumentPath,
  { gate }: Bound,
  definition: Definition,
  { components }: Pick<Resources, "components">,
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
