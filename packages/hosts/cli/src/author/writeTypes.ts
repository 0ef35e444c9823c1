/** Implements `planloom types`: writes TypeScript types of a workflow's inputs and outputs. */
import * as Effect from "effect/Effect"
import type { ReadingFlags } from "../commands/options.ts"
import type { Handler } from "../deferred.ts"
import type { ExitName } from "../ExitCode.ts"
import { withChecked } from "../project/withWorkflow.ts"
import { writeText } from "../project/writeText.ts"

export interface TypesFlags extends ReadingFlags {
  readonly workflow: string
  readonly out: string | undefined
}

export const writeTypes: Handler<TypesFlags> = (flags) =>
  withChecked(flags.workflow, flags, ({ definition, resources }) =>
    Effect.gen(function* () {
      const { typesOf } = yield* Effect.promise(() => import("@planloom/language"))
      yield* writeText(typesOf(definition, resources), flags.out)
      return "ok" as ExitName
    }),
  )
