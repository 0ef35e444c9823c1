/** `planloom schema`: JSON Schemas for editors. */
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import { deferred } from "../deferred.ts"
import { out } from "./options.ts"

export const schema = Command.make(
  "schema",
  {
    kind: Argument.String("kind").pipe(
      Argument.withDescription(
        "A file kind such as workflow, whose schema is printed. Without one: write the schemas of all kinds",
      ),
      Argument.withDefault(undefined),
    ),
    out: out("Folder to write to instead of .planloom/schema"),
  },
  deferred(async () => (await import("../author/writeSchemas.ts")).writeSchemas),
).pipe(
  Command.withDescription(
    "Print the JSON Schema of a file kind, or write all of them to .planloom/schema, which the first line of a workflow refers to.",
  ),
  Command.withShortDescription("JSON Schemas for editors"),
)
