/** `planloom check`: static checks of the project's files. */
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { deferred } from "../deferred.ts"
import { optional, reading } from "./options.ts"

export const check = Command.make(
  "check",
  {
    paths: Argument.String("path").pipe(
      Argument.withDescription(
        "Files or folders; - reads standard input. Without any: all workflows, tests, evaluations, hooks, templates and catalogs of the project",
      ),
      Argument.variadic(),
    ),
    format: Flag.Literals("format", ["pretty", "json", "sarif", "github"]).pipe(
      Flag.withMetavar("pretty|json|sarif|github"),
      Flag.withDescription("Format of the report"),
      Flag.withDefault("pretty"),
    ),
    maxWarnings: optional(
      Flag.Int("max-warnings"),
      "n",
      "Exit with code 1 if there are more warnings than this",
    ),
    fix: Flag.Boolean("fix").pipe(
      Flag.withDescription(
        "Write the edits that are certain into the files, then report what is left",
      ),
      Flag.withDefault(false),
    ),
    ...reading,
  },
  deferred(async () => (await import("../check/checkFiles.ts")).checkFiles),
).pipe(
  Command.withDescription(
    "Check the files without running anything: structure, types of expressions, references, policies, prompts.",
  ),
  Command.withShortDescription("Check files without running anything"),
  Command.withExamples([
    { command: "planloom check", description: "Check the whole project" },
    {
      command: "planloom check workflows/plan.yaml --format github",
      description: "Annotate a pull request",
    },
    {
      command: "planloom check plan.yaml --fix",
      description: "Apply the edits that are certain, such as a misspelt key",
    },
    {
      command: "cat plan.yaml | planloom check -",
      description: "Check a file that is not saved yet",
    },
  ]),
)
