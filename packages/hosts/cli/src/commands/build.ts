/** `planloom build`: writes a checked workflow as one file for hosts. */
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { deferred } from "../deferred.ts"
import { reading } from "./options.ts"

export const build = Command.make(
  "build",
  {
    workflow: Argument.String("workflow").pipe(
      Argument.withDescription("A workflow file, or the name of one in workflows/"),
    ),
    out: Flag.String("out").pipe(
      Flag.withAlias("o"),
      Flag.withMetavar("folder"),
      Flag.withDescription("Folder to write to"),
      Flag.withDefault("dist"),
    ),
    ...reading,
  },
  deferred(async () => (await import("../author/buildArtefact.ts")).buildArtefact),
).pipe(
  Command.withDescription(
    "Check a workflow and write it with its prompts, catalogs, templates, examples and nested workflows as one JSON file, its artefact, named by its content. Hosts load it without reading YAML or checking again; run, plan and serve accept it too. The build fixes --env and --set; flags can still be set later. Values of secrets are never written. Prints the path.",
  ),
  Command.withShortDescription("Write a workflow as one checked file for hosts"),
  Command.withExamples([
    { command: "planloom build plan", description: "Write dist/plan.0123456789ab.json" },
    { command: "planloom build plan --env production --out service/workflows" },
  ]),
)
