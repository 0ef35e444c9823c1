/** What takes a recorded run up again, or ends it: parts of `planloom runs`. */
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { deferred } from "../deferred.ts"
import { inputs, json, off, optional, reading } from "./options.ts"
import { id, showing } from "./runArguments.ts"

export const resume = Command.make(
  "resume",
  {
    id,
    ...inputs,
    ...showing,
    force: off("force", "Take the run over from a process that is still at work on it"),
  },
  deferred(async () => (await import("../runs/resumeRun.ts")).resumeRun),
).pipe(
  Command.withDescription(
    "Go on with a run that was killed or cancelled, as its workflow was when it began. What it has done is not done again. Personal inputs are not recorded and have to be given again.",
  ),
  Command.withShortDescription("Go on with a run"),
)

const from = Flag.String("from").pipe(
  Flag.withMetavar("stage"),
  Flag.withDescription("Path of a stage, as `runs show` lists them: plan, work[2]/results, plan~2"),
)

export const retry = Command.make(
  "retry",
  { id, from: from.pipe(Flag.withDefault(undefined)), ...inputs, ...showing },
  deferred(async () => (await import("../runs/retryRun.ts")).retryRun),
).pipe(
  Command.withDescription(
    "Do a run again from the stage it failed in, or from the one that is named. That stage, what depends on it and `finally` are done again; all else is answered from the record.",
  ),
  Command.withShortDescription("Do a run again from a stage on"),
  Command.withExamples([
    { command: "planloom runs retry 3f2a" },
    { command: "planloom runs retry 3f2a --from 'work[2]/results'" },
  ]),
)

export const fork = Command.make(
  "fork",
  { id, from, ...inputs, set: reading.set, ...showing },
  deferred(async () => (await import("../runs/forkRun.ts")).forkRun),
).pipe(
  Command.withDescription(
    "Begin a new run that takes over what another one did before a stage, with other inputs or settings from there on. Refuses when a stage that is taken over would have done something else.",
  ),
  Command.withShortDescription("Begin a new run from a stage of another"),
  Command.withExamples([
    { command: "planloom runs fork 3f2a --from answer --set stages.answer.with.tone=formal" },
  ]),
)

export const cancel = Command.make(
  "cancel",
  {
    id,
    now: off("now", "Interrupt the step under way instead of waiting for its end"),
    reason: optional(Flag.String("reason"), "text", "Why; the run's last event says it"),
    ...inputs,
    json,
  },
  deferred(async () => (await import("../runs/cancelRun.ts")).cancelRun),
).pipe(
  Command.withDescription(
    "End a run: one that another process is at work on, one that waits, or one that was killed. Its `finally` stages are done. It can go on afterwards with `resume`.",
  ),
  Command.withShortDescription("End a run"),
)

export const migrate = Command.make(
  "migrate",
  { id, apply: off("apply", "Go over to the files of today"), json },
  deferred(async () => (await import("../runs/migrateRun.ts")).migrateRun),
).pipe(
  Command.withDescription(
    "Compare the workflow a run began with with its files of today: which stages are different, which recorded steps stay valid, which would be done again. Nothing changes without --apply.",
  ),
  Command.withShortDescription("Take a run over to the workflow of today"),
)
