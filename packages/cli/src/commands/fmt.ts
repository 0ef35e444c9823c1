/** `planloom fmt`: one way to write a file. */
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import { deferred } from "../deferred.ts"
import { off } from "./options.ts"

export const fmt = Command.make(
  "fmt",
  {
    paths: Argument.String("path").pipe(
      Argument.withDescription(
        "Files or folders; - reads standard input and prints the result. Without any: the whole project",
      ),
      Argument.variadic(),
    ),
    check: off("check", "Change nothing; end with code 1 when a file is not formatted"),
  },
  deferred(async () => (await import("../author/formatFiles.ts")).formatFiles),
).pipe(
  Command.withDescription(
    "Format YAML files: key order, indentation and quotes. Comments stay where they are.",
  ),
  Command.withShortDescription("Format YAML files"),
)
