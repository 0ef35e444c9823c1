/** `planloom list`: the components that a workflow can use. */
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { deferred } from "../deferred.ts"
import { listable } from "../list/Listable.ts"
import { json, optionalWorkflow, reading } from "./options.ts"

export const list = Command.make(
  "list",
  {
    what: Argument.Literals("what", listable).pipe(
      Argument.withDescription(`One of: ${listable.join(", ")}`),
    ),
    workflow: optionalWorkflow,
    order: Flag.Boolean("order").pipe(
      Flag.withDescription("With hooks: by point, in the order in which they run"),
      Flag.withDefault(false),
    ),
    json,
    ...reading,
  },
  deferred(async () => (await import("../list/listWhat.ts")).listWhat),
).pipe(
  Command.withDescription(
    "List the components that a workflow can use, one per line. Without a workflow: the components that come with planloom.",
  ),
  Command.withShortDescription("List stages, tools, files, providers and more"),
  Command.withExamples([
    { command: "planloom list stages" },
    { command: "planloom list tools workflows/plan.yaml" },
    { command: "planloom list hooks workflows/plan.yaml --order" },
  ]),
)
