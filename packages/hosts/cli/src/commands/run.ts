/** `planloom run`: runs a workflow. */
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { deferred } from "../deferred.ts"
import { cassette, inputs, off, optional, out, reading, workflow } from "./options.ts"

export const run = Command.make(
  "run",
  {
    workflow,
    ...inputs,
    out: out(
      "Folder to write the outputs to: text, whole tables (.csv, .parquet), charts (.svg), reports (.html)",
    ),
    yes: off("yes", "Approve every tool that asks for approval"),
    json: off("json", "Print one JSON event per line and the result as the last line"),
    quiet: off("quiet", "No progress and no summary, only the outputs").pipe(Flag.withAlias("q")),
    session: optional(
      Flag.String("session"),
      "id",
      "The session that the run is a turn of; the workflow must declare `session:`",
    ),
    store: Flag.Boolean("store").pipe(
      Flag.withDescription(
        "Record the run in the project's store, .planloom/runs.db by default; if given, a run that cannot be recorded does not start. --no-store records nothing",
      ),
      Flag.withDefault(undefined),
    ),
    ...cassette,
    ...reading,
  },
  deferred(async () => (await import("../run/runWorkflow.ts")).runWorkflow),
).pipe(
  Command.withDescription(
    "Run a workflow. On a terminal the progress of its stages is shown; on a pipe only the outputs are printed. Ctrl-C cancels the run and lets its `finally` stages finish; a second Ctrl-C ends immediately. Runs are recorded: `planloom runs resume` continues a cancelled or killed run.",
  ),
  Command.withShortDescription("Run a workflow"),
  Command.withExamples([
    {
      command:
        'planloom run data_analyst --input question="How did revenue develop?" --input data=sales.csv',
      description: "Give inputs one by one",
    },
    {
      command: "planloom run data_analyst --inputs inputs.json --out results",
      description: "Keep the outputs",
    },
    {
      command: "planloom run data_analyst --inputs inputs.json --json | tail -1",
      description: "Read the result from a program",
    },
  ]),
)
