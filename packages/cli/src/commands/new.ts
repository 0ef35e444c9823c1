/** `planloom new`: writes the package of a component. */
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { deferred } from "../deferred.ts"
import { optional } from "./options.ts"

const hook = Command.make(
  "hook",
  {
    name: Argument.String("name").pipe(Argument.withDescription("Id of the hook: a-z, 0-9, _")),
    dir: optional(Flag.String("dir"), "folder", "Folder of the package; its name unless given"),
  },
  deferred(async () => (await import("../new/newPackage.ts")).newPackage("hook")),
).pipe(
  Command.withDescription(
    "Write a package with one hook: its code, its conformance suite, and how a hook set configures it. Never overwrites a file.",
  ),
  Command.withShortDescription("Write a package with one hook"),
  Command.withExamples([{ command: "planloom new hook polite" }]),
)

export const create = Command.make("new").pipe(
  Command.withDescription("Write the package of a component."),
  Command.withSubcommands([hook]),
)
