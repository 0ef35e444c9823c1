/** `planloom explain`: the meaning of a diagnostic code. */
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import { deferred } from "../deferred.ts"
import { json } from "./options.ts"

export const explain = Command.make(
  "explain",
  {
    code: Argument.String("code").pipe(
      Argument.withDescription("A code such as PL1201. Without one: list all codes"),
      Argument.withDefault(undefined),
    ),
    json,
  },
  deferred(async () => (await import("../author/explainCode.ts")).explainCode),
).pipe(
  Command.withDescription(
    "Explain a diagnostic: its meaning, why it matters, an example and the fix.",
  ),
  Command.withShortDescription("Explain a diagnostic code"),
  Command.withExamples([{ command: "planloom explain PL1201" }]),
)
