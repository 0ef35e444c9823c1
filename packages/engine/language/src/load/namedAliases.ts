/** Replaces the aliases that `try` of another alias names by their models. */
import type { ModelAlias } from "../definition/Definition.ts"
import { ownMember } from "../definition/ownMember.ts"
import { listsModels } from "../definition/scope/uses/modelUses.ts"

interface Aliases {
  readonly [alias: string]: ModelAlias
}

/** Any other name stays, and is reported by PL4010. */
export const withNamedAliases = (aliases: Aliases): Aliases =>
  Object.fromEntries(
    Object.entries(aliases).map(([alias, written]) => [
      alias,
      listsModels(written)
        ? written
        : { ...written, try: modelsOf(written, aliases), names: written.try },
    ]),
  )

/** A model that two aliases have is tried once. */
const modelsOf = (written: ModelAlias, aliases: Aliases): ReadonlyArray<string> => [
  ...new Set(
    written.try.flatMap((name) => {
      const named = ownMember(aliases, name)
      return named !== undefined && listsModels(named) ? named.try : [name]
    }),
  ),
]
