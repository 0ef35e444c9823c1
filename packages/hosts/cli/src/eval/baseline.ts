/** `--baseline` and `--update` of `planloom eval`: reads the figures of a baseline, or writes them. */
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
  /** Undefined without a baseline to compare with. */
  readonly figures: EvaluationBaselines | undefined
  /** Rewrites the baseline if --update is given. Other evaluations in it stay. */
  readonly keep: (reports: ReadonlyArray<EvaluationReport>) => Effect.Effect<void, Refused>
}

/** Rejects wrong combinations of flags before any run costs money. */
export const openBaseline = Effect.fnUntraced(function* (
  testing: Testing,
  files: ReadonlyArray<string>,
  { baseline: path, filter, update, variant }: BaselineFlags,
) {
  if (path === undefined) {
    if (update) return yield* usage("--update needs --baseline, the file to write")
    yield* refuseGates(testing, files)
    return { figures: undefined, keep: () => Effect.void } satisfies OpenBaseline
  }
  if (filter !== undefined) {
    return yield* usage("--filter and --baseline exclude each other: a baseline covers all cases")
  }
  if (update && variant.length > 0) {
    return yield* usage("--variant and --update exclude each other: a baseline covers all variants")
  }
  const exists = yield* Effect.promise(() => isFile(path))
  const kept = update && !exists ? {} : yield* figuresIn(testing, path)
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
            `${path} is not a baseline: ${figures}`,
            `delete it and rewrite it: planloom eval --baseline ${path} --update`,
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
        `a gate of ${file} reads a baseline, but --baseline is not given`,
        "pass --baseline file.json; add --update to write it",
      )
    }
  }
})
