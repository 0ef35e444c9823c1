/** Opens the models of a workflow for a command: its providers set up, and the swaps in the project's store. */
import { dirname } from "node:path"
import type { StoreFailed } from "@planloom/plugin/effect"
import type { Pipeline, SwapRefused } from "@planloom/core"
import type { KeptSwap, KeptSwaps } from "@planloom/record/models"
import * as Effect from "effect/Effect"
import type { Scope } from "effect/Scope"
import type { ReadingFlags } from "../commands/options.ts"
import type { ExitName } from "../ExitCode.ts"
import { withLoaded } from "../project/withWorkflow.ts"
import { problem, type Refused } from "../Refused.ts"
import { keptFor, type Access } from "../run/keptFor.ts"
import { swapsOf } from "../run/recording.ts"

export interface WorkflowModels {
  readonly pipeline: Pipeline
  /** Undefined where nothing is recorded yet. */
  readonly kept: KeptSwaps | undefined
}

type Use = (
  models: WorkflowModels,
) => Effect.Effect<ExitName, Refused | StoreFailed | SwapRefused, Scope>

/** The models are those in force. */
export const withModels = (
  given: string,
  flags: ReadingFlags,
  access: Access,
  use: Use,
): Effect.Effect<ExitName, Refused> =>
  withLoaded(given, flags, ({ pipeline }, path) =>
    Effect.scoped(
      Effect.gen(function* () {
        const kept = yield* keptFor(dirname(path), access, swapsOf, "swaps of models")
        if (kept !== undefined) pipeline.models.follow(yield* kept.current(pipeline.name))
        return yield* use({ pipeline, kept })
      }),
    ).pipe(
      Effect.catchTag("StoreFailed", ({ message }) => Effect.fail(problem(message))),
      Effect.catchTag("SwapRefused", ({ message }) => Effect.fail(problem(message))),
    ),
  )

/** The target of a swap: `stage draft`, `alias writer`. */
export const targetText = ({ alias, stage }: Pick<KeptSwap, "alias" | "stage">): string =>
  alias === undefined ? `stage ${stage!}` : `alias ${alias}`

export const modelsText = (models: ReadonlyArray<string>): string => models.join(", ") || "none"
