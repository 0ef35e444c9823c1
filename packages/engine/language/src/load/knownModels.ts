/** The models that the engine knows; a project's own files override them entry by entry. */
import type { Facts } from "@planloom/plugin/facts"

/** Loaded with the first workflow that is read. */
export const knownModels = async (): Promise<Facts> => {
  const { shippedModels } = await import("./shippedModels.ts")
  return new Map(Object.entries(shippedModels))
}
