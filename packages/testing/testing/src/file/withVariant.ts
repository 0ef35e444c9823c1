/** How a workflow is read for one variant of an evaluation, or for one test. */
import type { LoadOptions } from "@planloom/language"
import type { Variant } from "./Variant.ts"

/** The variant's own word counts, or there would be nothing to compare. */
export const withVariant = (
  options: LoadOptions,
  { env, flags = {}, set = {}, sources }: Partial<Variant>,
): LoadOptions => ({
  ...options,
  ...(env === undefined ? {} : { environment: env }),
  set: [...(options.set ?? []), ...Object.entries(set).map(([path, value]) => ({ path, value }))],
  flags: { ...options.flags, ...flags },
  ...(sources === undefined ? {} : { sources: { ...options.sources, ...sources } }),
})

/** A test comes out the same wherever it runs: the process switches no flags in it. */
export const asTested = (options: LoadOptions, given: Partial<Variant>): LoadOptions =>
  withVariant({ flag: () => undefined, ...options }, given)

/** Equal for tests that read their workflow alike. */
export const variantKey = ({ env, flags = {}, set = {}, sources = {} }: Partial<Variant>): string =>
  JSON.stringify([env ?? null, flags, set, sources])
