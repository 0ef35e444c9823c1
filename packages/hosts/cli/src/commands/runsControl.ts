/** The commands of `planloom runs` that change a recorded run: resume, reset, fork, cancel, migrate. */
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { deferred } from "../deferred.ts"
import { inputs, json, off, optional, reading } from "./options.ts"
import { by, id, display } from "./runArguments.ts"

export const resume = Command.make(
  "resume",
  {
    id,
    ...inputs,
    ...display,
    by,
    force: off("force", "Take the run over from the process that still owns it"),
  },
  deferred(async () => (await import("../runs/resumeRun.ts")).resumeRun),
).pipe(
  Command.withDescription(
    "Resume a run that was killed or cancelled, with the workflow it started with. Recorded steps are not repeated. Personal inputs are not recorded: pass them again, with the same values. No other input is taken.",
  ),
  Command.withShortDescription("Resume a run"),
)

const from = Flag.String("from").pipe(
  Flag.withMetavar("stage"),
  Flag.withDescription("Path of a stage, as `runs show` lists them: plan, work[2]/results, plan~2"),
)

export const reset = Command.make(
  "reset",
  { id, from: from.pipe(Flag.withDefault(undefined)), ...inputs, by, ...display },
  deferred(async () => (await import("../runs/resetRun.ts")).resetRun),
).pipe(
  Command.withDescription(
    "Reset a run to the stage that failed, or to the stage of --from, and resume it. That stage, the stages that depend on it and `finally` run again; all others keep their recorded results.",
  ),
  Command.withShortDescription("Reset a run to a stage and resume it"),
  Command.withExamples([
    { command: "planloom runs reset 3f2a" },
    { command: "planloom runs reset 3f2a --from 'work[2]/results'" },
  ]),
)

export const fork = Command.make(
  "fork",
  { id, from, ...inputs, set: reading.set, ...display },
  deferred(async () => (await import("../runs/forkRun.ts")).forkRun),
).pipe(
  Command.withDescription(
    "Start a new run from a stage of another run, with other inputs or settings from there on. Earlier results are reused. Fails when an earlier stage depends on what changed.",
  ),
  Command.withShortDescription("Start a new run from a stage of another run"),
  Command.withExamples([
    { command: "planloom runs fork 3f2a --from answer --set stages.answer.with.tone=formal" },
  ]),
)

export const cancel = Command.make(
  "cancel",
  {
    id,
    now: off("now", "Interrupt the current step instead of waiting for its end"),
    reason: optional(Flag.String("reason"), "text", "Reason, recorded in the run's last event"),
    ...inputs,
    json,
  },
  deferred(async () => (await import("../runs/cancelRun.ts")).cancelRun),
).pipe(
  Command.withDescription(
    "Cancel a run that another process owns, that waits, or that was killed. Its `finally` stages run. `planloom runs resume` continues it.",
  ),
  Command.withShortDescription("Cancel a run"),
)

export const migrate = Command.make(
  "migrate",
  { id, apply: off("apply", "Apply the migration"), json },
  deferred(async () => (await import("../runs/migrateRun.ts")).migrateRun),
).pipe(
  Command.withDescription(
    "Compare the workflow that a run started with to the current files: which stages differ, which recorded steps stay valid, which would run again. Nothing changes without --apply.",
  ),
  Command.withShortDescription("Move a run to the current workflow"),
)
