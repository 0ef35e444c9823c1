/** `planloom fmt`: formats YAML files. */
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
    check: off("check", "Change nothing; exit with code 1 if a file is not formatted"),
  },
  deferred(async () => (await import("../author/formatFiles.ts")).formatFiles),
).pipe(
  Command.withDescription(
    "Format YAML files: key order, indentation and quotes. Comments stay where they are.",
  ),
  Command.withShortDescription("Format YAML files"),
)
