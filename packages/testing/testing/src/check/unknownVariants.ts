/** Requested variants that an evaluation does not have. */
import { hint } from "@planloom/expression/suggestion"
import { locateProblem } from "@planloom/language"
import type { Diagnostic, Document } from "@planloom/language"
import type { Evaluation } from "../file/Evaluation.ts"

/** An error for each, where the evaluation has its variants. */
export const unknownVariants = (
  document: Document,
  { variants }: Evaluation,
  wanted: ReadonlyArray<string>,
): ReadonlyArray<Diagnostic> =>
  wanted
    .filter((name) => !Object.hasOwn(variants, name))
    .map((name) =>
      locateProblem(document, {
        code: "PL0101",
        message: `there is no variant "${name}"`,
        path: ["variants"],
        spot: "key",
        help: hint(name, Object.keys(variants), "there are") ?? "the evaluation declares none",
      }),
    )
