/** Tools that a stage offers to its model, by name → their declarations in the request. */
import * as Effect from "effect/Effect"
import { ModelFailed, type Ask, type ModelRequest } from "@planloom/plugin"
import type { ToolRegistry } from "@planloom/language"

/** Fails with class `invalid_request` for a tool that the workflow does not have. */
export const offeredTools = (
  { tools }: Ask,
  registry: ToolRegistry,
): Effect.Effect<ModelRequest["tools"], ModelFailed> => {
  if (tools === undefined) return Effect.succeed(undefined)
  const declared: Array<NonNullable<ModelRequest["tools"]>[number]> = []
  for (const offer of tools) {
    const name = typeof offer === "string" ? offer : offer.tool
    const registered = registry.get(name)
    if (registered === undefined) {
      const message = `the stage offers a tool "${name}", which the workflow does not have`
      return Effect.fail(new ModelFailed({ class: "invalid_request", model: "none", message }))
    }
    const { params, summary } = registered.tool
    declared.push({ name, description: summary, parameters: params })
  }
  return Effect.succeed(declared)
}
