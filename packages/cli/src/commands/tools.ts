/** `planloom tools`: searches, lists and describes the tools of a workflow. */
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { deferred } from "../deferred.ts"
import { json, optionalWorkflow, reading } from "./options.ts"

const search = Command.make(
  "search",
  {
    text: Argument.String("text").pipe(
      Argument.withDescription("What the tool should do, in your own words"),
    ),
    workflow: optionalWorkflow,
    limit: Flag.Int("limit").pipe(
      Flag.withMetavar("n"),
      Flag.withDescription("Maximum number to show"),
      Flag.withDefault(10),
    ),
    json,
    ...reading,
  },
  deferred(async () => (await import("../tools/searchTools.ts")).searchTools),
).pipe(
  Command.withDescription("Search tools by what they do, best match first, as the planner does."),
  Command.withExamples([{ command: 'planloom tools search "total per month"' }]),
)

const list = Command.make(
  "list",
  { workflow: optionalWorkflow, json, ...reading },
  deferred(async () => (await import("../tools/listTools.ts")).listTools),
).pipe(Command.withDescription("List tools by group."))

const docs = Command.make(
  "docs",
  {
    name: Argument.String("tool").pipe(Argument.withDescription("Name of the tool")),
    workflow: optionalWorkflow,
    json,
    ...reading,
  },
  deferred(async () => (await import("../tools/showDocs.ts")).showDocs),
).pipe(
  Command.withDescription("Show the documentation of a tool: parameters, data, when to use it."),
)

export const tools = Command.make("tools").pipe(
  Command.withDescription(
    "Search, list and describe the tools of a workflow; without a workflow, the tools that come with planloom.",
  ),
  Command.withShortDescription("Search, list and describe tools"),
  Command.withSubcommands([search, list, docs]),
)
