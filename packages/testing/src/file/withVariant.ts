/** How a workflow is read for one variant of an evaluation, or for one test. */
import type { LoadOptions } from "@planloom/language"
import type { Variant } from "./Variant.ts"
import type { TestGiven } from "./WorkflowTest.ts"

/** The variant's own word counts, or there would be nothing to compare. */
export const withVariant = (
  options: LoadOptions,
  { env, flags = {}, set = {} }: Partial<Variant>,
): LoadOptions => ({
  ...options,
  ...(env === undefined ? {} : { environment: env }),
  set: [...(options.set ?? []), ...Object.entries(set).map(([path, value]) => ({ path, value }))],
  flags: { ...options.flags, ...flags },
})

/** The options with which a test reads its workflow. */
export type Reads = Partial<Variant> & Pick<TestGiven, "sources">

/** A test comes out the same wherever it runs: the process switches no flags in it. */
export const asTested = (options: LoadOptions, given: Reads): LoadOptions =>
  withVariant(
    {
      flag: () => undefined,
      ...options,
      ...(given.sources === undefined ? {} : { sources: given.sources }),
    },
    given,
  )

/** Equal for tests that read their workflow alike. */
export const variantKey = ({ env, flags = {}, set = {}, sources = {} }: Reads): string =>
  JSON.stringify([env ?? null, flags, set, sources])
