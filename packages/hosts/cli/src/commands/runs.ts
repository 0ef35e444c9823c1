/** `planloom runs`: lists, shows, resumes, exports and deletes recorded runs. */
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { failureClasses, runStatuses, type FailureClass } from "@planloom/plugin/effect"
import { deferred } from "../deferred.ts"
import { inputs, json, limit, off, optional, out } from "./options.ts"
import { id, idOrFile } from "./runArguments.ts"
import { cancel, fork, migrate, reset, resume } from "./runsControl.ts"

const failureClassNames = Object.keys(failureClasses) as ReadonlyArray<FailureClass>

const list = Command.make(
  "list",
  {
    status: Flag.Literals("status", runStatuses).pipe(
      Flag.withDescription("Only runs in this state"),
      Flag.withDefault(undefined),
    ),
    workflow: optional(Flag.String("workflow"), "name", "Only runs of this workflow"),
    since: optional(Flag.String("since"), "time", "Only runs started since: 2h, 3d, 2026-03-01"),
    before: optional(Flag.String("before"), "time", "Only runs started before"),
    failedWith: Flag.Literals("failed-with", failureClassNames).pipe(
      Flag.withDescription("Only runs that failed with this failure class"),
      Flag.withDefault(undefined),
    ),
    session: optional(Flag.String("session"), "id", "Only runs that are turns of this session"),
    limit,
    json,
  },
  deferred(async () => (await import("../runs/listRuns.ts")).listRuns),
).pipe(
  Command.withDescription(
    "List recorded runs, newest first. A `running` run that no process owns was killed; it can be resumed.",
  ),
  Command.withShortDescription("List recorded runs"),
)

const show = Command.make(
  "show",
  {
    id: idOrFile,
    asExample: off(
      "as-example",
      "Print the run as an entry of a file of kind Examples, without secrets and personal data",
    ),
    stage: optional(
      Flag.String("stage"),
      "id",
      "With --as-example: the stage that the example is for; the only one with examples without it",
    ),
    out: out("With --as-example: a file of examples to add the entry to"),
    json,
  },
  deferred(async () => (await import("../runs/showRun.ts")).showRun),
).pipe(
  Command.withDescription(
    "Show a run: its stages, its usage and its result. With --as-example: its inputs, the conversation before it and what the stage should give, checked against the workflow; of a run that a reflection improved, with the improved plan.",
  ),
  Command.withShortDescription("Show a run"),
  Command.withExamples([
    { command: "planloom runs show 3f2a" },
    {
      command: "planloom runs show 3f2a --as-example --out templates/examples/scout.yaml",
      description: "Add the run to the examples of a stage, then edit the file",
    },
  ]),
)

const sample = Command.make(
  "sample",
  {
    refined: optional(Flag.Int("refined"), "n", "So many runs whose plan a reflection changed"),
    reasoned: optional(
      Flag.Int("reasoned"),
      "n",
      "So many runs in which a model gave its reasoning, with the reasoning",
    ),
    any: optional(Flag.Int("any"), "n", "So many runs of any kind, such as a baseline"),
    workflow: optional(Flag.String("workflow"), "name", "Only runs of this workflow"),
    since: optional(Flag.String("since"), "time", "Only runs started since: 2h, 3d, 2026-03-01"),
    seed: Flag.Int("seed").pipe(
      Flag.withMetavar("n"),
      Flag.withDescription("Another seed draws other runs"),
      Flag.withDefault(1),
    ),
    json,
  },
  deferred(async () => (await import("../runs/sample/sampleRuns.ts")).sampleRuns),
).pipe(
  Command.withDescription(
    "Draw a sample of recorded runs for people to review. One seed draws the same runs again, and runs that are added later do not change the order of the others.",
  ),
  Command.withShortDescription("Draw a sample of runs to review"),
  Command.withExamples([
    { command: "planloom runs sample --refined 20 --workflow market_scout --since 7d" },
    { command: "planloom runs sample --reasoned 5", description: "Read why models planned so" },
    { command: "planloom runs sample --any 100 --json", description: "Draw a baseline" },
  ]),
)

const events = Command.make(
  "events",
  {
    id: idOrFile,
    from: Flag.Int("from").pipe(
      Flag.withMetavar("seq"),
      Flag.withDescription("Start with the event of this number"),
      Flag.withDefault(0),
    ),
  },
  deferred(async () => (await import("../runs/showEvents.ts")).showEvents),
).pipe(Command.withDescription("Print the events of a run, one JSON object per line."))

const answer = Command.make(
  "answer",
  {
    id,
    name: optional(
      Flag.String("name"),
      "question",
      "Name of the question; required if the run asks several",
    ),
    value: optional(
      Flag.String("value"),
      "json",
      "The answer: JSON, or text if the question expects text",
    ),
    field: Flag.String("field").pipe(
      Flag.withMetavar("name=value"),
      Flag.withDescription(
        "One field of an answer with several, parsed by its type; name=@file reads it from a file. May be repeated",
      ),
      Flag.atLeast(0),
    ),
    yes: off("yes", "Approve"),
    no: off("no", "Do not approve"),
    comment: optional(Flag.String("comment"), "text", "Reason, with --yes or --no"),
    by: optional(
      Flag.String("by"),
      "name",
      "Name of the person who answers, for the record; default: the user of this machine",
    ),
    resume: Flag.Boolean("resume").pipe(
      Flag.withDescription("Resume the run now (default); --no-resume only records the answer"),
      Flag.withDefault(true),
    ),
    ...inputs,
    out: out("Folder to write the outputs to"),
    json: off("json", "Print one JSON event per line and the result as the last line"),
    quiet: off("quiet", "No progress and no summary, only the outputs").pipe(Flag.withAlias("q")),
  },
  deferred(async () => (await import("../runs/answerRun.ts")).answerRun),
).pipe(
  Command.withDescription(
    "Answer a question of a suspended run and resume the run. `planloom runs show` lists the questions. Without an answer on the command line, the terminal asks for it.",
  ),
  Command.withShortDescription("Answer a question of a run"),
  Command.withExamples([
    { command: "planloom runs answer 3f2a --yes" },
    {
      command: "planloom runs answer 3f2a --no --comment 'the totals are wrong'",
      description: "Reject with a reason",
    },
    {
      command: "planloom runs answer 3f2a --name read/clarification:1 --value revenue",
      description: "Answer one of several questions",
    },
    {
      command: "planloom runs answer 3f2a --field send=yes --field copies=2",
      description: "Answer a question that expects several values",
    },
  ]),
)

const watch = Command.make(
  "watch",
  {
    id,
    from: Flag.Int("from").pipe(
      Flag.withMetavar("seq"),
      Flag.withDescription("With --json: start with the event of this number"),
      Flag.withDefault(0),
    ),
    json: off("json", "Print one JSON event per line and the result as the last line"),
  },
  deferred(async () => (await import("../runs/watchRun.ts")).watchRun),
).pipe(
  Command.withDescription(
    "Show the progress of a run that another process owns, until it ends or waits. Exits with the run's code; Ctrl-C only stops watching.",
  ),
  Command.withShortDescription("Show the progress of a run"),
)

const replay = Command.make(
  "replay",
  {
    id: idOrFile,
    definition: Flag.Literals("definition", ["recorded", "current"]).pipe(
      Flag.withDescription("The workflow that the run started with, or its current files"),
      Flag.withDefault("recorded" as const),
    ),
    ...inputs,
    json,
  },
  deferred(async () => (await import("../runs/replayRun.ts")).replayRun),
).pipe(
  Command.withDescription(
    "Replay a run's record without calling any model or tool, and report whether it ends with the same result. Names the first step that is missing from the record or has changed. Writes nothing. Personal inputs are not recorded: pass them again if the workflow depends on them.",
  ),
  Command.withShortDescription("Replay a record without calling anything"),
)

const imported = Command.make(
  "import",
  {
    file: Argument.String("file").pipe(Argument.withDescription("A file with an exported run")),
    json,
  },
  deferred(async () => (await import("../runs/importRun.ts")).importRun),
).pipe(Command.withDescription("Import a run that was exported elsewhere."))

const exported = Command.make(
  "export",
  {
    id,
    out: out("File to write to instead of standard output"),
    redact: off(
      "redact",
      "Replace every text of inputs, outputs, prompts and results by its type and length",
    ),
  },
  deferred(async () => (await import("../runs/exportRun.ts")).exportRun),
).pipe(
  Command.withDescription(
    "Write everything recorded of a run as one JSON document: record, definition, steps, events. `show`, `events`, `replay` and `import` read it.",
  ),
  Command.withShortDescription("Export a run as one file"),
)

const prune = Command.make(
  "prune",
  {
    olderThan: optional(
      Flag.String("older-than"),
      "time",
      "Delete runs that ended longer ago than this: 12h, 30d",
    ),
    keep: optional(Flag.Int("keep"), "n", "Delete all but this many of the newest runs"),
    json,
  },
  deferred(async () => (await import("../runs/pruneRuns.ts")).pruneRuns),
).pipe(
  Command.withDescription(
    "Delete runs that have ended, with the decided reviews of their replies. Runs that can be resumed are never deleted.",
  ),
  Command.withExamples([{ command: "planloom runs prune --older-than 30d --keep 500" }]),
)

export const runs = Command.make("runs").pipe(
  Command.withDescription("List, show, resume, export and delete recorded runs."),
  Command.withShortDescription("List, show and resume recorded runs"),
  Command.withSubcommands([
    list,
    sample,
    show,
    events,
    watch,
    cancel,
    resume,
    answer,
    reset,
    fork,
    replay,
    migrate,
    exported,
    imported,
    prune,
  ]),
)
