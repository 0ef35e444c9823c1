/** Does what `planloom runs answer` asks: records the answer, and goes on with the run that waited for it. */
import type { Json, OpenWait, RunRecord, RunStore, StoreFailed, Wait } from "@planloom/plugin"
import * as Effect from "effect/Effect"
import type { InputFlags } from "../commands/options.ts"
import type { Doing } from "../deferred.ts"
import type { ExitName } from "../ExitCode.ts"
import { withDefinition } from "../project/withWorkflow.ts"
import { suggestion } from "../project/nearest.ts"
import { problem, usage, type Refused } from "../Refused.ts"
import { isYesOrNo, readAnswer } from "../run/answers.ts"
import { asking } from "../run/asking.ts"
import { onUnrecorded, readDefinition } from "../run/recording.ts"
import { runLoaded, type Showing } from "../run/runWorkflow.ts"
import { waitText } from "../run/waiting.ts"
import { say, stderr, textWidth } from "../terminal/Screen.ts"
import { oneLine } from "../terminal/text.ts"
import { asRefused } from "./goOn.ts"
import { inputsAgain } from "./personalInputs.ts"
import { runNamed, withRuns } from "./withRuns.ts"

export interface AnswerFlags extends Omit<Showing, "yes">, InputFlags {
  readonly id: string
  readonly name: string | undefined
  readonly value: string | undefined
  readonly yes: boolean
  readonly no: boolean
  readonly comment: string | undefined
  readonly by: string | undefined
  readonly resume: boolean
}

export const answerRun: Doing<AnswerFlags> = (flags) =>
  withRuns((store) =>
    Effect.gen(function* () {
      const found = yield* runNamed(store, flags.id)
      const { run } = found
      const { giveAnswer, isWaiting } = yield* Effect.promise(() => import("@planloom/record"))
      const open = yield* store.waits({ run })
      if (open.length === 0 && isWaiting(found)) {
        return yield* problem(
          "what the run asked can be answered no more: its time is over, or it has its answer",
          `planloom runs resume ${run} goes on with it`,
        )
      }
      const { wait } = yield* questionOf(open, run, flags.name)
      const value = yield* valueFrom(wait, flags)
      const by = flags.by ?? process.env["USER"] ?? "person"
      const record = yield* Effect.catchTag(
        giveAnswer(store, run, { name: wait.name, value, by }),
        "AnswerRefused",
        ({ message }) => Effect.fail(problem(message)),
      )
      if (!flags.resume || !isWaiting(record)) {
        if (!flags.quiet) say(`answered: ${oneLine(wait.name)}`)
        return "ok" as ExitName
      }
      const notGone = Effect.sync(() => {
        say(stderr.style.warn(`answered: ${oneLine(wait.name)}; the run has not gone on`))
        say(`  help: when that is mended: planloom runs resume ${run}`)
      })
      const gone = goOn(store, record, { ...flags, yes: false })
      return yield* Effect.tap(
        Effect.tapError(gone, () => notGone),
        (exit) => (exit === "problems" ? notGone : Effect.void),
      )
    }),
  )

const questionOf = (
  open: ReadonlyArray<OpenWait>,
  run: string,
  name: string | undefined,
): Effect.Effect<OpenWait, Refused> => {
  const found = name === undefined ? open : open.filter(({ wait }) => wait.name === name)
  if (found.length === 1) return Effect.succeed(found[0]!)
  if (open.length === 0) {
    return Effect.fail(
      problem(`the run ${run} waits for no answer`, `planloom runs show ${run} says how it is`),
    )
  }
  const names = open.map(({ wait }) => wait.name)
  return Effect.fail(
    name === undefined
      ? usage(
          `the run asks ${open.length} questions; say with --name which one is answered`,
          open
            .map(
              ({ wait }) =>
                `--name ${wait.name}\n${waitText(wait, stderr.style, textWidth(stderr))}`,
            )
            .join("\n"),
        )
      : problem(`the run ${run} asks nothing called "${name}"`, suggestion(name, names)),
  )
}

/** From the flags, or from a person at the terminal. */
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
          usage("this question wants more than a yes or a no", `--value '…': ${wait.message}`),
        )
  }
  if (value !== undefined) {
    return Effect.flatMap(
      Effect.promise(() => readAnswer(wait, value.trim())),
      (read): Effect.Effect<Json, Refused> =>
        read.misfit === undefined
          ? Effect.succeed(read.value)
          : Effect.fail(problem(`"${value}" is no answer: ${read.misfit}`, wait.message)),
    )
  }
  const person = asking(false, (speak) => speak())
  return Effect.flatMap(person(wait), (given) =>
    given === undefined
      ? Effect.fail(
          usage(
            "there is no answer",
            isYesOrNo(wait.schema) ? "--yes, or --no --comment '…'" : "--value '…'",
          ),
        )
      : Effect.succeed(given),
  )
}

const goOn = (
  store: RunStore,
  { epoch, inputs, run }: RunRecord,
  flags: Showing & InputFlags,
): Effect.Effect<ExitName, Refused | StoreFailed> =>
  Effect.gen(function* () {
    const definition = readDefinition(yield* store.definition(run))
    if (definition === undefined) {
      say(
        stderr.style.warn(
          "answered; the run was recorded without its workflow and goes on where it began",
        ),
      )
      return "ok" as ExitName
    }
    const earlier = yield* store.events(run)
    return yield* withDefinition(definition, (loaded) =>
      // The answer is kept; with personal inputs the run goes on where they are given again.
      asRefused(
        Effect.gen(function* () {
          const all = yield* inputsAgain(loaded, { inputs }, flags)
          // Somebody who has answered another of its questions may have been faster.
          const now = yield* store.show(run)
          if (now?.epoch !== epoch) {
            say("answered; another process goes on with the run")
            say(`  help: planloom runs watch ${run}`)
            return "ok" as ExitName
          }
          return yield* runLoaded(loaded, all, flags, {
            earlier,
            options: { store, run, onUnrecorded, epoch },
          })
        }),
      ),
    )
  })
