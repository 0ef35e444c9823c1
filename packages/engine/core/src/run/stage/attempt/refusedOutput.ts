/** Refuses a question for JSON without a name and a schema: plugins in JavaScript are not typed. */
import { ModelFailed, type JsonSchema } from "@planloom/plugin/effect"
import type { ResolvedModel } from "../../../pipeline/resolveModel.ts"

interface Output {
  readonly name: string
  readonly schema: JsonSchema
}

/** Undefined for an output that can be asked for. */
export const refusedOutput = (
  output: Output | undefined,
  model: ResolvedModel | undefined,
): ModelFailed | undefined =>
  typeof output?.name === "string" && ["boolean", "object"].includes(typeof output.schema)
    ? undefined
    : new ModelFailed({
        class: "invalid_request",
        model: model?.choices[0]?.name ?? "none",
        message:
          'model.json needs a name and a schema: model.json(ask, { name: "plan", schema: { type: "object" } })',
      })
