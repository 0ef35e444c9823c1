/** How a workflow is read as one variant of an evaluation. */
import type { Variant } from "../definition/Evaluation.ts"
import type { LoadOptions } from "./LoadOptions.ts"

/** The variant's own word counts, or there would be nothing to compare. */
export const withVariant = (options: LoadOptions, { env, flags, set }: Variant): LoadOptions => ({
  ...options,
  ...(env === undefined ? {} : { environment: env }),
  set: [...(options.set ?? []), ...Object.entries(set).map(([path, value]) => ({ path, value }))],
  flags: { ...options.flags, ...flags },
})
