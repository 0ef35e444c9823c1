/** Stage kind `workflow`: runs another workflow as a stage of this one. */
import { stageKind } from "@planloom/plugin/effect"
import type { JsonObject } from "@planloom/plugin/effect"
import { refersTo, withSummary } from "@planloom/stage-kit"

interface Input {
  readonly path: string
  readonly inputs: JsonObject
}

export const workflow = stageKind<Input>({
  id: "workflow",
  summary: "Runs another workflow as a stage of this one.",
  relays: true,
  input: {
    type: "object",
    additionalProperties: false,
    required: ["path"],
    properties: {
      path: { type: "string", minLength: 1, description: "its file, relative to this one" },
      inputs: { type: "object", default: {} },
    },
  },
  expects: ({ path }, receivers) => ({
    inputs: typeof path === "string" ? receivers.workflow(path) : undefined,
  }),
  /** The other workflow's outputs, when its path is written out. */
  output: ({ path }, known) =>
    (typeof path === "string" ? known.workflow(path) : undefined) ?? { type: "object" },
  refers: refersTo({ path: "workflow" }),
  asks: () => ({ workflows: 1 }),
  run: withSummary(
    ({ path, inputs }, context) => context.workflow(path, inputs),
    (outputs) => Object.keys(outputs as JsonObject).join(", "),
  ),
})
