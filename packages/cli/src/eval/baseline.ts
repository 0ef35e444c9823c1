/** `--baseline` and `--update` of `planloom eval`: figures that are read before, or written after. */
import type * as TestingModule from "@planloom/testing"
import type { EvaluationBaselines, EvaluationReport } from "@planloom/testing"
import * as Effect from "effect/Effect"
import { isFile } from "../project/projectFiles.ts"
import { readText } from "../project/readText.ts"
import { writeText } from "../project/writeText.ts"
import { problem, usage, type Refused } from "../Refused.ts"

type Testing = typeof TestingModule

export interface BaselineFlags {
  readonly baseline: string | undefined
  readonly update: boolean
  readonly filter: string | undefined
  readonly variant: ReadonlyArray<string>
}

export interface OpenBaseline {
  /** Undefined where there is none to compare with. */
  readonly figures: EvaluationBaselines | undefined
  /** Writes it anew, if that was asked for. Other evaluations in it stay. */
  readonly keep: (reports: ReadonlyArray<EvaluationReport>) => Effect.Effect<void, Refused>
}

/** Refuses, before anything is paid, what could not be judged afterwards. */
export const openBaseline = Effect.fnUntraced(function* (
  testing: Testing,
  files: ReadonlyArray<string>,
  { baseline: path, filter, update, variant }: BaselineFlags,
) {
  if (path === undefined) {
    if (update) return yield* usage("--update writes a baseline: name it with --baseline")
    yield* refuseGates(testing, files)
    return { figures: undefined, keep: () => Effect.void } satisfies OpenBaseline
  }
  if (filter !== undefined) {
    return yield* usage("a baseline is about all cases, so --filter cannot be given with it")
  }
  if (update && variant.length > 0) {
    return yield* usage(
      "a baseline is about all variants, so --variant cannot be given with --update",
    )
  }
  const there = yield* Effect.promise(() => isFile(path))
  const kept = update && !there ? {} : yield* figuresIn(testing, path)
  const open: OpenBaseline = {
    figures: update ? undefined : kept,
    keep: (reports) =>
      update ? writeText(testing.evaluationBaselineText(reports, kept), path) : Effect.void,
  }
  return open
})

const figuresIn = (testing: Testing, path: string): Effect.Effect<EvaluationBaselines, Refused> =>
  Effect.flatMap(readText(path), (text) => {
    const figures = testing.readEvaluationBaselines(text)
    return typeof figures === "string"
      ? Effect.fail(
          problem(
            `${path} is no baseline: ${figures}`,
            `take it away, and planloom eval --baseline ${path} --update writes it anew`,
          ),
        )
      : Effect.succeed(figures)
  })

const refuseGates = Effect.fnUntraced(function* (testing: Testing, files: ReadonlyArray<string>) {
  const { readEvaluation } = yield* Effect.promise(() => import("@planloom/testing"))
  for (const file of files) {
    const { evaluation } = yield* readEvaluation(file)
    if (evaluation?.gate.some(testing.readsBaseline) === true) {
      return yield* usage(
        `a gate of ${file} reads a baseline, and none is given`,
        "--baseline file.json names it; with --update it is written",
      )
    }
  }
})
