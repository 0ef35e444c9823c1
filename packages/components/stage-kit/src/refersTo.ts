/** `refers` of a stage kind whose `with` names its targets under keys of their own. */
import type { JsonObject, Reference } from "@planloom/plugin/effect"

/** Takes the target of each key, whose value is one name or a list of names: `{ tools: "tool" }`. */
export const refersTo =
  (targets: { readonly [key: string]: string }) =>
  (literals: JsonObject): ReadonlyArray<Reference> =>
    Object.entries(targets).flatMap(([key, to]) => {
      const value = literals[key]
      if (typeof value === "string") return [{ to, id: value, at: [key] }]
      if (!Array.isArray(value)) return []
      return value.flatMap((id, index) =>
        typeof id === "string" ? [{ to, id, at: [key, index] }] : [],
      )
    })
