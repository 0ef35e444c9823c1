/** `planloom runs`: the record of what was run: look, go on, hand over, forget. */
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { failureClasses, runStatuses, type FailureClass } from "@planloom/plugin"
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
    since: optional(Flag.String("since"), "time", "Only runs begun since then: 2h, 3d, 2026-03-01"),
    before: optional(Flag.String("before"), "time", "Only runs begun before then"),
    failedWith: Flag.Literals("failed-with", failureClassNames).pipe(
      Flag.withDescription("Only runs that failed with this class"),
      Flag.withDefault(undefined),
    ),
    session: optional(
      Flag.String("session"),
      "id",
      "Only runs that are turns of this conversation",
    ),
    limit,
    json,
  },
  deferred(async () => (await import("../runs/listRuns.ts")).listRuns),
).pipe(
  Command.withDescription(
    "List recorded runs, the newest first. A run that is `running` with nobody at work on it was killed; it can go on.",
  ),
  Command.withShortDescription("List recorded runs"),
)

const show = Command.make(
  "show",
  { id: idOrFile, json },
  deferred(async () => (await import("../runs/showRun.ts")).showRun),
).pipe(Command.withDescription("Show how a run went: its stages, what was used, how it ended."))

const events = Command.make(
  "events",
  {
    id: idOrFile,
    from: Flag.Int("from").pipe(
      Flag.withMetavar("seq"),
      Flag.withDescription("Begin with the event of this number"),
      Flag.withDefault(0),
    ),
  },
  deferred(async () => (await import("../runs/showEvents.ts")).showEvents),
).pipe(Command.withDescription("Print what a run told, one JSON event per line."))

const answer = Command.make(
  "answer",
  {
    id,
    name: optional(
      Flag.String("name"),
      "question",
      "Which question; needed when the run asks more than one",
    ),
    value: optional(
      Flag.String("value"),
      "json",
      "The answer: JSON, or text where the question wants text",
    ),
    yes: off("yes", "Approve"),
    no: off("no", "Do not approve"),
    comment: optional(Flag.String("comment"), "text", "Why, with --yes or --no"),
    by: optional(
      Flag.String("by"),
      "name",
      "Who answers, for the record; the user of this machine unless given",
    ),
    resume: Flag.Boolean("resume").pipe(
      Flag.withDescription(
        "Go on with the run now, as is done anyway; --no-resume only records the answer",
      ),
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
    "Answer what a suspended run asks, and go on with it. `planloom runs show` shows the questions; without an answer on the command line it is asked for at the terminal.",
  ),
  Command.withShortDescription("Answer what a run asks"),
  Command.withExamples([
    { command: "planloom runs answer 3f2a --yes" },
    {
      command: "planloom runs answer 3f2a --no --comment 'the totals are wrong'",
      description: "Say why not",
    },
    {
      command: "planloom runs answer 3f2a --name read/clarification:1 --value revenue",
      description: "Answer one of several questions",
    },
  ]),
)

const watch = Command.make(
  "watch",
  {
    id,
    from: Flag.Int("from").pipe(
      Flag.withMetavar("seq"),
      Flag.withDescription("With --json: begin with the event of this number"),
      Flag.withDefault(0),
    ),
    json: off("json", "Print one JSON event per line and the result as the last line"),
  },
  deferred(async () => (await import("../runs/watchRun.ts")).watchRun),
).pipe(
  Command.withDescription(
    "Show a run that another process is at work on, until it ends or waits. Ends as the run does; Ctrl-C only stops watching.",
  ),
  Command.withShortDescription("Show a run as it goes on"),
)

const replay = Command.make(
  "replay",
  {
    id: idOrFile,
    definition: Flag.Literals("definition", ["recorded", "today"]).pipe(
      Flag.withDescription("The workflow as it was when the run began, or its files of today"),
      Flag.withDefault("recorded" as const),
    ),
    ...inputs,
    json,
  },
  deferred(async () => (await import("../runs/replayRun.ts")).replayRun),
).pipe(
  Command.withDescription(
    "Go over a run's record without calling any model or tool, and say whether it comes to the same end. Names the first step that is not in the record or has changed. Writes nothing. Personal inputs are not recorded: where the workflow needs more than any text there, give them again.",
  ),
  Command.withShortDescription("Go over a record without doing anything"),
)

const imported = Command.make(
  "import",
  {
    file: Argument.String("file").pipe(Argument.withDescription("A file a run was exported to")),
    json,
  },
  deferred(async () => (await import("../runs/importRun.ts")).importRun),
).pipe(Command.withDescription("Keep a run that was exported elsewhere."))

const exported = Command.make(
  "export",
  {
    id,
    out: out("File to write to instead of standard output"),
    redact: off(
      "redact",
      "Replace every text of inputs, outputs, prompts and results by what it was",
    ),
  },
  deferred(async () => (await import("../runs/exportRun.ts")).exportRun),
).pipe(
  Command.withDescription(
    "Write all that is recorded of a run as one JSON document: record, definition, steps, events. `show`, `events`, `replay` and `import` read it.",
  ),
  Command.withShortDescription("Write a run as one file"),
)

const prune = Command.make(
  "prune",
  {
    olderThan: optional(
      Flag.String("older-than"),
      "time",
      "Forget runs that ended longer ago than this: 12h, 30d",
    ),
    keep: optional(Flag.Int("keep"), "n", "Forget all but the newest so many"),
    json,
  },
  deferred(async () => (await import("../runs/pruneRuns.ts")).pruneRuns),
).pipe(
  Command.withDescription("Forget runs that have ended. Runs that can go on are never forgotten."),
  Command.withExamples([{ command: "planloom runs prune --older-than 30d --keep 500" }]),
)

export const runs = Command.make("runs").pipe(
  Command.withDescription("Look at recorded runs, go on with them, hand them over, forget them."),
  Command.withShortDescription("Look at recorded runs and go on with them"),
  Command.withSubcommands([
    list,
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
