/** Implements `planloom runs answer`: records an answer and resumes the run that waited for it. */
import type {
  JsonObject,
  OpenWait,
  RunRecord,
  RunStore,
  StoreFailed,
} from "@planloom/plugin/effect"
import * as Effect from "effect/Effect"
import { viaShell } from "../audit/viaShell.ts"
import type { InputFlags } from "../commands/options.ts"
import type { Handler } from "../deferred.ts"
import type { ExitName } from "../ExitCode.ts"
import { withDefinition } from "../project/withWorkflow.ts"
import { suggestion } from "../project/nearest.ts"
import { problem, usage, type Refused } from "../Refused.ts"
import { readUser } from "../run/readUser.ts"
import { onUnrecorded, readDefinition } from "../run/recording.ts"
import { runLoaded, type DisplayFlags } from "../run/runWorkflow.ts"
import { resumeCommand, waitText } from "../run/answer/waitText.ts"
import { say, stderr, textWidth } from "../terminal/Screen.ts"
import { oneLine } from "../terminal/text.ts"
import { givenAnswer, type GivenFlags } from "./givenAnswer.ts"
import { asRefused, definitionOfRun, resumedBy } from "./recordedRun.ts"
import { timeText } from "./listRuns.ts"
import { notGiven, resumeNeeds, sameInputs } from "./personalInputs.ts"
import { runNamed, withRuns } from "./withRuns.ts"

export interface AnswerFlags extends Omit<DisplayFlags, "yes">, GivenFlags, InputFlags {
  readonly id: string
  readonly name: string | undefined
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
      const value = yield* givenAnswer(wait, flags)
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
