/** `planloom dev`: runs a workflow again after each edit. */
import * as Command from "effect/cli/Command"
import { deferred } from "../deferred.ts"
import { inputs, off, reading, workflow } from "./options.ts"

export const dev = Command.make(
  "dev",
  {
    workflow,
    ...inputs,
    allowWrites: off(
      "allow-writes",
      "Run tools that change something, and approve those that need approval, without asking",
    ),
    once: off("once", "Run once and end, with the exit code of the run"),
    json: off("json", "Print one JSON line for each edit"),
    ...reading,
  },
  deferred(async () => (await import("../dev/devWorkflow.ts")).devWorkflow),
).pipe(
  Command.withDescription(
    "Run a workflow, and run it again whenever one of its files is saved: the workflow, prompts, hook sets, catalogs, plugin code, named data. Calls of models and tools that an edit does not change are answered from memory; only the others are made. Shows each stage before and after the edit. At a terminal: a accepts the run as a test, r runs without memory, d shows the whole difference, q ends.",
  ),
  Command.withShortDescription("Edit a workflow and see what each save changes"),
  Command.withExamples([
    { command: 'planloom dev triage --input message="I want my money back"' },
    { command: "planloom dev triage --inputs case.json --once --json" },
  ]),
)
