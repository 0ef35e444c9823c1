/** `planloom init`: writes a small working project. */
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { deferred } from "../deferred.ts"
import { off } from "./options.ts"

export const init = Command.make(
  "init",
  {
    dir: Argument.String("dir").pipe(
      Argument.withDescription("Folder of the project; created if it does not exist"),
      Argument.withDefault("."),
    ),
    template: Flag.Literals("template", ["plan", "minimal"]).pipe(
      Flag.withMetavar("plan|minimal"),
      Flag.withDescription(
        "plan: a question about a table becomes a checked plan; minimal: the smallest workflow",
      ),
      Flag.withDefault(undefined),
    ),
    yes: off("yes", "Ask no questions; use the defaults"),
  },
  deferred(async () => (await import("../create/initProject.ts")).initProject),
).pipe(
  Command.withDescription(
    "Write a small project that works without a key: a workflow, its test, data, and settings for editors. Never overwrites a file.",
  ),
  Command.withShortDescription("Start a project"),
  Command.withExamples([{ command: "planloom init my_project --template plan" }]),
)
