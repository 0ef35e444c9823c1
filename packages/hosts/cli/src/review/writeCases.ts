/** Implements `planloom review cases`: writes decided reviews as a test file of their workflow. */
import { dirname, relative, resolve, sep } from "node:path"
import {
  differenceOf,
  repliesFor,
  reviewCases,
  type DecidedReview,
  type QueuedReview,
} from "@planloom/shadow/queue"
import type { JsonObject, RunStore, StoreFailed } from "@planloom/plugin/effect"
import * as Effect from "effect/Effect"
import type { Handler } from "../deferred.ts"
import type { ExitName } from "../ExitCode.ts"
import { writeFileText } from "../project/writeText.ts"
import { problem, usage, type Refused } from "../Refused.ts"
import { parseUser } from "../run/readUser.ts"
import { readDefinition } from "../run/recording.ts"
import { print, say, stderr } from "../terminal/Screen.ts"
import { oneLine } from "../terminal/text.ts"
import { withQueue } from "./withQueue.ts"

export interface ReviewCasesFlags {
  readonly workflow: string | undefined
  readonly out: string | undefined
  readonly userText: string | undefined
  readonly json: boolean
}

export const writeCases: Handler<ReviewCasesFlags> = ({ json, out, userText, workflow }) =>
  withQueue((queue, store) =>
    Effect.gen(function* () {
      const user = userText === undefined ? undefined : yield* parseUser(userText)
      const byFile = yield* decidedByFile(store, yield* queue.list(), workflow)
      const [first, ...others] = byFile
      if (first === undefined) {
        return yield* problem(
          "no decided review can become a test case: none is decided, or its run is no longer recorded",
          "planloom review list --state decided",
        )
      }
      if (others.length > 0) {
        return yield* usage(
          "the decided reviews are of several workflows; choose one with --workflow",
          byFile.map(([, { name }]) => `--workflow ${oneLine(name)}`).join("\n"),
        )
      }
      const [file, { decided }] = first
      const folder = out === undefined ? process.cwd() : dirname(resolve(out))
      const path = relative(folder, file).split(sep).join("/")
      const { Personal } = yield* Effect.promise(() => import("@planloom/core/internal"))
      const personal = new Personal({}, {}, user ?? {})
      const cases = personal.reveal((yield* reviewCases(path, decided, user)) as JsonObject)
      const { toYaml } = yield* Effect.promise(() => import("@planloom/language"))
      const text = json ? `${JSON.stringify(cases, null, 2)}\n` : toYaml(cases)
      if (out === undefined) print(text.trimEnd())
      else {
        yield* writeFileText(text, out)
        say(`${out}: ${decided.length} ${decided.length === 1 ? "case" : "cases"}`)
      }
      for (const review of decided) {
        const difference = differenceOf(review)
        if (difference === undefined) continue
        const { decision, id, item } = review
        const differs =
          difference === "verdict"
            ? `the decision (${decision.verdict}) differs from the review (${item.verdict})`
            : "the text of the decision is not what the user got"
        say(
          stderr.style.warn(
            `review ${oneLine(id)}: ${differs}; its case fails until the rules change`,
          ),
        )
      }
      if (user === undefined && decided.some(({ item }) => item.user !== undefined)) {
        say(
          stderr.style.warn(
            "users are not recorded: give the cases one with --user @user.json, if the workflow needs it",
          ),
        )
      }
      return "ok" as ExitName
    }),
  )

interface CasesOf {
  readonly name: string
  readonly decided: Array<DecidedReview>
}

/** Leaves out reviews of values, which no script replies, and of runs that were pruned: nothing says what such a run started with. */
const decidedByFile = (
  store: RunStore,
  all: ReadonlyArray<QueuedReview>,
  workflow: string | undefined,
): Effect.Effect<ReadonlyArray<readonly [string, CasesOf]>, StoreFailed | Refused> =>
  Effect.gen(function* () {
    const byFile = new Map<string, CasesOf>()
    for (const { id, item, state } of all) {
      if (state !== "decided") continue
      if (item.of === "value") {
        say(
          stderr.style.warn(`${oneLine(id)} is left out: its text is one of a value, not a reply`),
        )
        continue
      }
      const record = yield* store.show(item.run)
      if (workflow !== undefined && record !== undefined && record.workflow !== workflow) continue
      const definition = record && readDefinition(yield* store.definition(item.run))
      if (record === undefined || definition === undefined) {
        say(stderr.style.warn(`${oneLine(id)} is left out: its run is no longer recorded`))
        continue
      }
      const known = byFile.get(definition.file) ?? { name: record.workflow, decided: [] }
      byFile.set(definition.file, known)
      known.decided.push({
        id,
        item,
        decision: item.decision!,
        inputs: record.inputs as JsonObject,
        replies: repliesFor(item, all),
      })
    }
    return [...byFile]
  })
