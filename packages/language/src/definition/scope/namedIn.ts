/** Tools, templates and readers that a stage's literal `with` names, as its kind declares. */
import type { Json, JsonObject } from "@planloom/plugin"
import { literalEntries } from "@planloom/expression"
import type { DocumentPath } from "../Definition.ts"
import type { Resources } from "../Resources.ts"
import type { NamedAt } from "./retryUses.ts"
import type { StageTree } from "./StageTree.ts"

export const namedIn = (
  tree: StageTree,
  { components }: Resources,
  ask: "toolsOf" | "templatesOf" | "readersOf",
): ReadonlyArray<NamedAt> =>
  tree.all.flatMap(({ path, stage }) =>
    [
      { uses: stage.uses, given: stage.with, at: [...path, "with"] },
      {
        uses: stage.fallback?.uses,
        given: stage.fallback?.with,
        at: [...path, "fallback", "with"],
      },
    ].flatMap(({ at, given, uses }) => {
      const namesOf = components.stages.get(uses ?? "")?.[ask]
      if (!namesOf || !given) return []
      return safely(namesOf, literalEntries(given)).map((name) => ({
        name,
        path: [...at, ...(placeOf(name, given) ?? [])],
      }))
    }),
  )

/** Calls the kind's code on a `with` that other rules may reject. */
const safely = (
  namesOf: (literals: JsonObject) => ReadonlyArray<string>,
  literals: JsonObject,
): ReadonlyArray<string> => {
  try {
    return namesOf(literals).filter((name) => typeof name === "string")
  } catch {
    return []
  }
}

/** Where a text stands in a value. */
const placeOf = (text: string, value: Json): DocumentPath | undefined => {
  if (value === text) return []
  if (value === null || typeof value !== "object") return undefined
  for (const [key, entry] of Object.entries(value)) {
    const inside = placeOf(text, entry as Json)
    if (inside) return [Array.isArray(value) ? Number(key) : key, ...inside]
  }
  return undefined
}
