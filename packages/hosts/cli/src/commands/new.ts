/** `planloom new`: writes the package of a component. */
import type { ComponentKind } from "create-planloom"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { deferred } from "../deferred.ts"
import { optional } from "./options.ts"

const component = (
  kind: ComponentKind,
  noun: string,
  { example, use }: { readonly example: string; readonly use: string },
) =>
  Command.make(
    kind,
    {
      name: Argument.String("name").pipe(
        Argument.withDescription(`Id of the ${noun}: a-z, 0-9, _`),
      ),
      dir: optional(Flag.String("dir"), "folder", "Folder of the package; its name unless given"),
    },
    deferred(async () => (await import("../create/newPackage.ts")).newPackage(kind)),
  ).pipe(
    Command.withDescription(
      `Write a package with one ${noun}: its code, its conformance suite, and how ${use}. Never overwrites a file.`,
    ),
    Command.withShortDescription(`Write a package with one ${noun}`),
    Command.withExamples([{ command: `planloom new ${kind} ${example}` }]),
  )

export const create = Command.make("new").pipe(
  Command.withDescription("Write the package of a component."),
  Command.withSubcommands([
    component("hook", "hook", { example: "polite", use: "a hook set configures it" }),
    component("stage", "stage kind", { example: "shorten", use: "a workflow uses it" }),
    component("tool", "tool", { example: "count_words", use: "a workflow calls it" }),
    component("validator", "validator", { example: "brief", use: "a workflow reads its verdict" }),
    component("subagent", "subagent", { example: "calm", use: "a workflow reads its verdict" }),
    component("provider", "provider", { example: "house", use: "a workflow uses its models" }),
  ]),
)
