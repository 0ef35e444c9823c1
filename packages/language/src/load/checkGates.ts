/** Checks the gate of a section: what it stands on must have a text that it can read. */
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
    return stage === undefined || kind === undefined ? [] : [{ stage, reply: replyOf(stage, kind) }]
  })
  // Of a kind whose code is not loaded nothing is known.
  if (stages.some((stage) => stage?.uses !== undefined && !components.stages.has(stage.uses))) {
    return []
  }
  const value = replies.find(
    ({ reply, stage }) => reply === "value" && (owner.length > 0 || isStreamed(stage, definition)),
  )
  if (value !== undefined) {
    return [
      problem(
        `"${key}" cannot review "${value.stage.id}": its reply is JSON, and a gate reads text`,
        owner.length > 0
          ? `remove "${key}", or let the stage reply with text`
          : "remove `stream` from its output, or let the stage reply with text",
      ),
    ]
  }
  if (replies.some(({ reply }) => reply === "text")) return []
  const kinds = [...components.stages.values()].flatMap(({ id, streams }) =>
    streams === undefined ? [] : [id],
  )
  return [
    problem(
      owner.length === 0
        ? `"${key}" reviews nothing: no stage of the workflow has a reply in text`
        : `"${key}" reviews nothing: "${stages[0]?.id ?? ""}" has no reply in text`,
      `a gate reads the reply of a stage kind such as ${kinds.join(", ") || "generate"}`,
    ),
  ]
}

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

const isStreamed = ({ id }: Stage, { outputs }: Definition): boolean =>
  Object.values(outputs).some(
    ({ stream, value }) => stream && typeof value === "string" && value.includes(`stages.${id}.`),
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
