/** Implements `planloom runs answer`: records an answer and resumes the run that waited for it. */
import type {
  Json,
  JsonObject,
  OpenWait,
  RunRecord,
  RunStore,
  StoreFailed,
  Wait,
} from "@planloom/plugin/effect"
import * as Effect from "effect/Effect"
import { viaShell } from "../audit/viaShell.ts"
import type { InputFlags } from "../commands/options.ts"
import type { Handler } from "../deferred.ts"
import type { ExitName } from "../ExitCode.ts"
import { withDefinition } from "../project/withWorkflow.ts"
import { suggestion } from "../project/nearest.ts"
import { problem, usage, type Refused } from "../Refused.ts"
import { isYesOrNo, readAnswer } from "../run/readAnswer.ts"
import { askQuestions } from "../run/askQuestions.ts"
import { readUser } from "../run/readUser.ts"
import { onUnrecorded, readDefinition } from "../run/recording.ts"
import { runLoaded, type DisplayFlags } from "../run/runWorkflow.ts"
import { resumeCommand, waitText } from "../run/waitText.ts"
import { say, stderr, textWidth } from "../terminal/Screen.ts"
import { oneLine } from "../terminal/text.ts"
import { asRefused, definitionOfRun, resumedBy } from "./recordedRun.ts"
import { timeText } from "./listRuns.ts"
import { notGiven, resumeNeeds, sameInputs } from "./personalInputs.ts"
import { runNamed, withRuns } from "./withRuns.ts"

export interface AnswerFlags extends Omit<DisplayFlags, "yes">, InputFlags {
  readonly id: string
  readonly name: string | undefined
  readonly value: string | undefined
  readonly yes: boolean
  readonly no: boolean
  readonly comment: string | undefined
  readonly by: string | undefined
  readonly resume: boolean
}

export const answerRun: Handler<AnswerFlags> = (flags) =>
  withRuns((store) =>
    Effect.gen(function* () {
      const found = yield* runNamed(store, flags.id)
      const { run } = found
      const { giveAnswer, isWaiting, openWait } = yield* Effect.promise(
        () => import("@planloom/record"),
      )
      const open = yield* store.waits({ run })
      if (open.length === 0 && isWaiting(found)) {
        const { waits } = yield* store.read(run)
        const last = waits.findLast(({ answer }) => answer !== undefined)?.answer
        return yield* problem(
          last === undefined
            ? "the question of this run has expired"
            : `the question of this run was answered by ${oneLine(last.by)}, ${timeText(last.at)}`,
          `resume it: ${resumeCommand(run, yield* resumeNeeds(store, run))}`,
        )
      }
      const checked = yield* checkInputs(store, found, flags)
      if (typeof checked === "string") return checked
      const meant = flags.name === undefined ? undefined : openWait(open, flags.name)?.name
      const { wait } = yield* questionOf(open, run, meant ?? flags.name)
      const value = yield* valueFrom(wait, flags)
      const by = resumedBy(flags.by)
      const record = yield* Effect.catchTag(
        giveAnswer(store, run, { name: wait.name, value, by, via: viaShell() }),
        "AnswerRefused",
        ({ message }) => Effect.fail(problem(message)),
      )
      if (!flags.resume || !isWaiting(record)) {
        if (!flags.quiet) say(`answered: ${oneLine(wait.name)}`)
        return "ok" as ExitName
      }
      const needs = yield* resumeNeeds(store, run)
      const warnNotResumed = Effect.sync(() => {
        say(stderr.style.warn(`answered: ${oneLine(wait.name)}; the run was not resumed`))
        say(`  help: after the fix: ${resumeCommand(run, needs)}`)
      })
      const resumed = resumeAnswered(store, record, checked, { ...flags, by, yes: false })
      return yield* Effect.tap(
        Effect.tapError(resumed, () => warnNotResumed),
        (exit) => (exit === "problems" ? warnNotResumed : Effect.void),
      )
    }),
  )

/**
 * Reads what the resume is given. Refused inputs and users are refused before the answer is recorded: otherwise the run
 * would be left answered, but not resumed. Returns the exit name if the run's files have problems.
 */
const checkInputs = (
  store: RunStore,
  record: RunRecord,
  flags: AnswerFlags,
): Effect.Effect<JsonObject | ExitName, Refused | StoreFailed> =>
  Effect.gen(function* () {
    if (flags.input.length === 0 && flags.inputs === undefined && flags.userText === undefined) {
      return {}
    }
    if (!flags.resume) {
      return yield* usage("--no-resume resumes nothing", "omit --input, --inputs and --user")
    }
    const definition = yield* definitionOfRun(store, record.run)
    const { startedWith } = yield* Effect.promise(() => import("@planloom/core/internal"))
    const started = yield* startedWith(store, record)
    let again: JsonObject | undefined
    const exit = yield* withDefinition(definition, (loaded) =>
      Effect.gen(function* () {
        yield* readUser(loaded, flags, record)
        again = yield* sameInputs(loaded, started, flags)
        return "ok" as ExitName
      }),
    )
    return again ?? exit
  })

const questionOf = (
  open: ReadonlyArray<OpenWait>,
  run: string,
  name: string | undefined,
): Effect.Effect<OpenWait, Refused> => {
  const found = name === undefined ? open : open.filter(({ wait }) => wait.name === name)
  if (found.length === 1) return Effect.succeed(found[0]!)
  if (open.length === 0) {
    return Effect.fail(
      problem(`the run ${run} does not wait for an answer`, `its state: planloom runs show ${run}`),
    )
  }
  const names = open.map(({ wait }) => wait.name)
  return Effect.fail(
    name === undefined
      ? usage(
          `the run asks ${open.length} questions; choose one with --name`,
          open
            .map(
              ({ wait }) =>
                `--name ${wait.name}\n${waitText(wait, stderr.style, textWidth(stderr))}`,
            )
            .join("\n"),
        )
      : problem(`the run ${run} has no question "${name}"`, suggestion(name, names)),
  )
}

/** Reads the answer from the flags or from the terminal. */
const valueFrom = (wait: Wait, flags: AnswerFlags): Effect.Effect<Json, Refused> => {
  const { comment, no, value, yes } = flags
  if ([yes, no, value !== undefined].filter(Boolean).length > 1) {
    return Effect.fail(usage("--yes, --no and --value exclude each other"))
  }
  if (yes || no) {
    if (isYesOrNo(wait.schema)) {
      return Effect.succeed({ approved: yes, ...(comment === undefined ? {} : { comment }) })
    }
    return typeof wait.schema === "object" && wait.schema["type"] === "boolean"
      ? Effect.succeed(yes)
      : Effect.fail(
          usage("this question expects more than yes or no", `--value '…': ${wait.message}`),
        )
  }
  if (value !== undefined) {
    return Effect.flatMap(
      Effect.promise(() => readAnswer(wait, value.trim())),
      (read): Effect.Effect<Json, Refused> =>
        read.mismatch === undefined
          ? Effect.succeed(read.value)
          : Effect.fail(
              problem(`"${value}" is not a valid answer: ${read.mismatch}`, wait.message),
            ),
    )
  }
  const person = askQuestions(false, (speak) => speak())
  return Effect.flatMap(person.answer(wait), (given) =>
    given === undefined
      ? Effect.fail(
          usage(
            "no answer given",
            isYesOrNo(wait.schema) ? "--yes, or --no --comment '…'" : "--value '…'",
          ),
        )
      : Effect.succeed(given),
  )
}

const resumeAnswered = (
  store: RunStore,
  record: RunRecord,
  again: JsonObject,
  flags: DisplayFlags & { readonly by: string },
): Effect.Effect<ExitName, Refused | StoreFailed> =>
  Effect.gen(function* () {
    const { epoch, run } = record
    const definition = readDefinition(yield* store.definition(run))
    if (definition === undefined) {
      say(
        stderr.style.warn(
          "answered; the run was recorded without its workflow and must be resumed by the program that started it",
        ),
      )
      return "ok" as ExitName
    }
    const earlier = yield* store.events(run)
    return yield* withDefinition(definition, (loaded) =>
      // The answer is already recorded; without personal inputs the run can be resumed later.
      asRefused(
        Effect.gen(function* () {
          const { missingInputs, startedWith } = yield* Effect.promise(
            () => import("@planloom/core/internal"),
          )
          const started = yield* startedWith(store, record)
          const missing = missingInputs(started, again)
          if (missing.length > 0) yield* notGiven(missing)
          // Another process may have resumed the run after an answer to another question.
          const now = yield* store.show(run)
          if (now?.epoch !== epoch) {
            say("answered; another process has resumed the run")
            say(`  help: planloom runs watch ${run}`)
            return "ok" as ExitName
          }
          return yield* runLoaded(loaded, { ...started.inputs, ...again }, flags, {
            earlier,
            options: { store, run, by: flags.by, onUnrecorded, epoch },
          })
        }),
      ),
    )
  })
