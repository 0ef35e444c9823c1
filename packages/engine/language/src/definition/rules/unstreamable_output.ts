/** PL5005: the output cannot be streamed. */
import { containsExpression, literalEntries, unwrapExpression } from "@planloom/expression"
import type { StageKind } from "@planloom/plugin/effect"
import type { Analysis } from "../scope/Analysis.ts"
import { ancestorsOf, type StageNode } from "../scope/StageTree.ts"
import type { Rule } from "./Rule.ts"

export const unstreamableOutput: Rule = {
  code: "PL5005",
  slug: "unstreamable_output",
  severity: "error",
  title: "The output cannot be streamed",
  why: "Only the reply of one stage that runs once can be handed out while it is written; anything else is known when its stages have ended.",
  fix: 'Set `value` to exactly the reply of one stage, such as "${{ stages.reply.output.text }}", or remove `stream`.',
  wrong:
    'answer: { value: "Dear ${{ inputs.name }}: ${{ stages.reply.output.text }}", stream: true }',
  right: 'answer: { value: "${{ stages.reply.output.text }}", stream: true }',
  check: ({ analysis, definition, resources }) =>
    Object.entries(definition.outputs).flatMap(([name, { stream, value }]) => {
      if (!stream) return []
      const problem = problemOf(value, analysis, resources.components.stages)
      return problem === undefined
        ? []
        : [{ code: "PL5005", path: ["outputs", name, "value"], ...problem }]
    }),
}

const reply = /^\s*stages\.(\w+)\.output\.(\w+)\s*$/

const problemOf = (
  value: unknown,
  { tree }: Analysis,
  kinds: ReadonlyMap<string, StageKind>,
): { readonly message: string; readonly help: string } | undefined => {
  const match =
    typeof value === "string" && containsExpression(value)
      ? reply.exec(unwrapExpression(value))
      : null
  const ids = [...kinds.values()].flatMap(({ id, streams }) => (streams === undefined ? [] : [id]))
  const allowed =
    ids.length === 0
      ? "declare a plugin with such a kind, for example @planloom/stages with generate"
      : `stage kinds with a reply that can be streamed: ${ids.join(", ")}`
  if (match === null) {
    return {
      message: "an output that is streamed is exactly the reply of one stage",
      help: `write value: "\${{ stages.reply.output.text }}" and nothing else, for a stage with a reply; ${allowed}`,
    }
  }
  const [, id = "", field = ""] = match
  const node = tree.byId.get(id)
  const kind = node?.stage.uses === undefined ? undefined : kinds.get(node.stage.uses)
  if (node === undefined) return undefined
  const around = [node, ...ancestorsOf(node)].find(
    ({ stage }) => stage.for_each !== undefined || stage.repeat !== undefined,
  )
  if (around !== undefined) {
    return {
      message: `"${id}" may run several times, so that its first text need not be the output`,
      help: `move it out of the ${around.stage.repeat === undefined ? "for_each" : "repeat"} of "${around.stage.id}", or remove stream`,
    }
  }
  // Of a kind whose code is not loaded, neither the output nor what it streams is known.
  if (kind === undefined || (kind.output === true && kind.streams === undefined)) return undefined
  const streamed = streamedField(kind, node)
  return streamed === field
    ? undefined
    : streamed === undefined
      ? { message: `"${id}" (${kind.id}) has no reply that can be streamed`, help: allowed }
      : {
          message: `"${field}" of "${id}" is not its reply`,
          help: `"${kind.id}" streams "${streamed}": value: "\${{ stages.${id}.output.${streamed} }}"`,
        }
}

const streamedField = ({ streams }: StageKind, { stage }: StageNode): string | undefined =>
  typeof streams === "function" ? streams(literalEntries(stage.with)) : streams
