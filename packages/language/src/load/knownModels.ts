/** The models the engine knows by itself; a project's own files win entry by entry. */
import type { Facts } from "@planloom/plugin/facts"

/** Loaded with the first workflow that is read. */
export const knownModels = async (): Promise<Facts> => {
  const { shippedModels } = await import("./shippedModels.ts")
  return new Map(Object.entries(shippedModels))
}
