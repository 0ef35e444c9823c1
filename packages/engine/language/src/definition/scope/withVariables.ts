/** Names that one place reads beyond those of its stage. */
import type { JsonSchema } from "@planloom/plugin/effect"
import type { Analysis } from "./Analysis.ts"
import { withRoots } from "./environment.ts"
import type { Reading } from "./examine/Examination.ts"

export const withVariables = (
  reading: Reading,
  variables: { readonly [name: string]: JsonSchema },
  analysis: Analysis,
): Reading => ({ ...reading, environment: withRoots(reading.environment, variables, analysis) })
