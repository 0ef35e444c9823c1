/** `planloom list`: what there is to build with. */
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import { deferred } from "../deferred.ts"
import { json, optionalWorkflow, reading } from "./options.ts"

export const listable = [
  "workflows",
  "stages",
  "providers",
  "models",
  "tools",
  "templates",
  "prompts",
  "hooks",
  "subagents",
  "validators",
  "indexes",
  "embedders",
  "stores",
  "domains",
  "readers",
  "plugins",
] as const

export type Listable = (typeof listable)[number]

export const list = Command.make(
  "list",
  {
    what: Argument.Literals("what", listable).pipe(
      Argument.withDescription(`One of: ${listable.join(", ")}`),
    ),
    workflow: optionalWorkflow,
    json,
    ...reading,
  },
  deferred(async () => (await import("../list/listWhat.ts")).listWhat),
).pipe(
  Command.withDescription(
    "List what a workflow can use, with one line on each. Without a workflow: what comes with planloom.",
  ),
  Command.withShortDescription("List stages, tools, templates, providers and more"),
  Command.withExamples([
    { command: "planloom list stages" },
    { command: "planloom list tools workflows/plan.yaml" },
  ]),
)
