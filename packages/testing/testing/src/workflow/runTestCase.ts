/** One test: its run on doubles, and what of its expectations does not hold. */
import * as Effect from "effect/Effect"
import { memoryJournal } from "@planloom/core"
import type { LoadedWorkflow, RunResult } from "@planloom/core"
import { ScriptedAnswers } from "../double/ScriptedAnswers.ts"
import { plural } from "../double/Script.ts"
import { rootsOf } from "../check/rootsOf.ts"
import { compareGolden } from "../golden/compareGolden.ts"
import { predictionOf, type Prediction } from "../metrics/calibration.ts"
import { judgementsOf, type Judgement } from "../metrics/judgements.ts"
import type { PlanningTally } from "../metrics/PlanningTally.ts"
import { tallyPlanning } from "../metrics/tallyPlanning.ts"
import { resultScope, uncovered, unmet, type Unmet } from "./expectations.ts"
import { hermeticRun } from "./hermeticRun.ts"
import { pastOf } from "./pastOf.ts"
import { snapshotPath, snapshotText } from "./snapshot.ts"
import { withDoubles, withStubs, type Doubled } from "./withDoubles.ts"
import { recordCassette, replayCassette } from "../cassette/cassettes.ts"
import { leadsOut } from "../file/leadsOut.ts"
import type { TestCase } from "../file/WorkflowTest.ts"

export interface CaseOutcome {
  readonly unmet: ReadonlyArray<Unmet>
  readonly result: RunResult | undefined
  readonly planning?: PlanningTally
  readonly judgements?: ReadonlyArray<Judgement>
  readonly prediction?: Prediction | undefined
}

/** Where a test's recording lies, and whether it is made now. */
export interface CassettePlace {
  readonly folder: string
  readonly records: boolean
  /** Whether the test file names it, and not a person. */
  readonly isNamed: boolean
}

/** Records nothing. Pauses between attempts are not waited for: a test of them asserts their events. */
const impatientJournal = { ...memoryJournal, sleep: () => Effect.void }

/** A file outside of the project that the test would write. */
const writesOutside = async (
  { expect: { snapshot } }: TestCase,
  { cassette, file, update }: Given,
): Promise<Unmet | undefined> => {
  const paths = [
    ...(cassette?.records === true && cassette.isNamed ? [cassette.folder] : []),
    ...(update && snapshot !== undefined ? [snapshotPath(file, snapshot)] : []),
  ]
  for (const path of paths) {
    const message = await leadsOut(path, file)
    if (message !== undefined) return { path: ["given"], assertion: "files stay inside", message }
  }
  return undefined
}

interface Given {
  readonly file: string
  readonly update: boolean
  readonly cassette?: CassettePlace | undefined
}

/**
 * Approvals are given, unless the test says otherwise.
 * Never fails: inputs that do not fit are an unmet expectation too.
 */
export const runTestCase = (
  test: TestCase,
  { pipeline, secrets }: LoadedWorkflow,
  given: Given,
): Effect.Effect<CaseOutcome> =>
  Effect.gen(function* () {
    const place = given.cassette
    const outside = yield* Effect.promise(() => writesOutside(test, given))
    if (outside !== undefined) return { unmet: [outside], result: undefined }
    const opened =
      place === undefined
        ? undefined
        : yield* Effect.result(
            place.records
              ? recordCassette(place.folder, pipeline.name, { secrets })
              : replayCassette(place.folder, { secrets }),
          )
    if (opened !== undefined && opened._tag === "Failure") {
      const { message } = opened.failure
      const silent = { path: ["given"], assertion: "the recording answers", message }
      return { unmet: [silent], result: undefined }
    }
    const doubled =
      place === undefined ? withDoubles(pipeline, test.given) : withStubs(pipeline, test.given)
    const answers = new ScriptedAnswers(test.given.answers ?? [])
    const unsaved: Array<Unmet> = []
    const reads = rootsOf(test.expect.assert)
    const options = {
      journal: impatientJournal,
      ...pastOf(test.given.session, pipeline),
      user: test.given.user,
      answer: answers.answer,
      secrets,
      onUnrecorded: ({ message }: { readonly message: string }) => {
        unsaved.push({ path: ["given"], assertion: "the recording is kept", message })
      },
      ...(opened === undefined ? {} : { cassette: opened.success }),
    }
    const ran = yield* hermeticRun(doubled.pipeline, test.given.inputs, options, reads)
    const { ended, events } = ran
    if (typeof ended === "string") {
      const rejected = { path: ["given"], assertion: "the inputs and the user fit", message: ended }
      return { unmet: [rejected], result: undefined }
    }
    const { snapshot } = test.expect
    const kept =
      snapshot === undefined || ended.status !== test.expect.status
        ? undefined
        : yield* Effect.promise(() =>
            compareGolden(
              snapshotPath(given.file, snapshot),
              snapshotText(ended.outputs),
              given.update,
            ),
          )
    const wrong = [
      ...unmet(test.expect, ended, resultScope(ended, ran, reads)),
      ...uncovered(test.expect, ended, events),
    ]
    return {
      result: ended,
      planning: tallyPlanning(events, test.expect.requirements),
      judgements: judgementsOf(events),
      prediction: predictionOf(test.expect, wrong.length === 0, ended, events),
      unmet: [
        ...wrong,
        ...unsaved,
        ...(kept === undefined
          ? []
          : [
              {
                path: ["expect", "snapshot"],
                assertion: `snapshot ${snapshot}`,
                message: `${kept}\n--update keeps the outputs as they are now`,
              },
            ]),
        // What answers from a recording asks no stub.
        ...(place?.records === false ? [] : leftOver(doubled)),
        ...answers.unused().map(({ index, to }) => ({
          path: ["given", "answers", index],
          assertion: "every answer is used",
          message: `this answer to ${to} was not used`,
        })),
      ],
    }
  })

/** A script that does not fit the run is a mistake in the test, whatever else holds. */
const leftOver = ({ models, tools }: Doubled): ReadonlyArray<Unmet> => [
  ...models.refused.map((message) => ({
    path: ["given", "models"],
    assertion: "every request has a reply",
    message,
  })),
  ...models.unused().map(({ index, model }) => ({
    path: ["given", "models", model, index],
    assertion: "every reply is used",
    message: `this reply of "${model}" was not used`,
  })),
  ...tools.refused.map((message) => ({
    path: ["given", "tools"],
    assertion: "every call has a result",
    message,
  })),
  ...tools.unused().map(({ left, tool }) => ({
    path: ["given", "tools", tool],
    assertion: "every result is asked for",
    message: `${plural(left, "result of this stub was", "results of this stub were")} not asked for`,
  })),
]
