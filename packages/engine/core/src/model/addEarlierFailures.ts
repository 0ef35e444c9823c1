/** Adds the failures of the models that were tried before to the failure of the last one. */
import {
  ModelFailed,
  isJsonObject,
  reasonOf,
  toFailureRecord,
  type Json,
} from "@planloom/plugin/effect"

/** The class stays that of the last model. `detail.tried` lists every model in order. */
export const addEarlierFailures = (
  failure: ModelFailed,
  earlier: ReadonlyArray<ModelFailed>,
): ModelFailed => {
  if (earlier.length === 0) return failure
  const { detail, message, model } = failure
  const tried = [...earlier, failure].map(({ class: of, message: why, model: name }) => ({
    model: name,
    class: of,
    message: why,
  }))
  return new ModelFailed({
    ...toFailureRecord(failure),
    model,
    message: `${message.replace(/\.$/, "")} (tried before: ${earlier.map(reasonOf).join("; ")})`,
    detail: { ...(isJsonObject(detail) ? detail : {}), tried } as Json,
  })
}
