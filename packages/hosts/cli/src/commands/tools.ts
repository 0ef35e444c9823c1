/** `planloom tools`: searches, lists and describes the tools of a workflow, and imports tools. */
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { deferred } from "../deferred.ts"
import { json, optional, optionalWorkflow, reading } from "./options.ts"

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

const add = Command.make(
  "add",
  {
    kind: Argument.Literals("kind", ["openapi"]).pipe(
      Argument.withDescription("openapi: a document of version 3.0 or 3.1"),
    ),
    spec: Argument.String("spec").pipe(
      Argument.withDescription("File or URL of the document, YAML or JSON"),
    ),
    name: optional(
      Flag.String("name"),
      "name",
      "Name of the catalog; that of the file or of the document unless given",
    ),
    baseUrl: optional(
      Flag.String("base-url"),
      "url",
      "URL of the service, in place of the document's servers",
    ),
    include: Flag.String("include").pipe(
      Flag.withMetavar("tag|id"),
      Flag.withDescription(
        "Import only the operations of this tag or operation id. May be repeated",
      ),
      Flag.atLeast(0),
    ),
    untyped: Flag.Boolean("untyped").pipe(
      Flag.withDescription(
        "Leave out the schemas of answers, for a service that does not keep to its document",
      ),
      Flag.withDefault(false),
    ),
    out: optional(
      Flag.String("out"),
      "file",
      "The file to write; catalog/<name>.yaml unless given",
    ),
  },
  deferred(async () => (await import("../tools/addOpenApi.ts")).addOpenApi),
).pipe(
  Command.withDescription(
    "Write the operations of an OpenAPI document as a catalog of tools. Reports every part that it leaves out. Run again, it updates the catalog and shows what has changed.",
  ),
  Command.withShortDescription("Import the operations of an OpenAPI document as tools"),
  Command.withExamples([{ command: "planloom tools add openapi petstore.yaml --include pet" }]),
)

export const tools = Command.make("tools").pipe(
  Command.withDescription(
    "Search, list and describe the tools of a workflow, or import tools; without a workflow, the tools that come with planloom.",
  ),
  Command.withShortDescription("Search, list and describe tools"),
  Command.withSubcommands([search, list, docs, add]),
)
