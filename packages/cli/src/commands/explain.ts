/** `planloom explain`: what a diagnostic's code means. */
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import { deferred } from "../deferred.ts"
import { json } from "./options.ts"

export const explain = Command.make(
  "explain",
  {
    code: Argument.String("code").pipe(
      Argument.withDescription("A code such as PL1201; without one all codes are listed"),
      Argument.withDefault(undefined),
    ),
    json,
  },
  deferred(async () => (await import("../author/explainCode.ts")).explainCode),
).pipe(
  Command.withDescription(
    "Explain a diagnostic: what it means, why it matters, an example and how to mend it.",
  ),
  Command.withShortDescription("Explain a diagnostic's code"),
  Command.withExamples([{ command: "planloom explain PL1201" }]),
)
