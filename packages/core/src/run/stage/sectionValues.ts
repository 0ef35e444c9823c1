/** Values that sections give expressions: made once, recorded, and checked against their schemas. */
import * as Effect from "effect/Effect"
import { StageFailed, toFailureRecord, type Json, type JsonObject } from "@planloom/plugin/effect"
import { listed } from "../../pipeline/listed.ts"
import type { PipelineSection } from "../../pipeline/Pipeline.ts"
import type { Frame } from "../Frame.ts"

/** By key; `path` is that of the stage whose sections they are. */
export const sectionValues = (
  sections: ReadonlyArray<PipelineSection>,
  { prefix, scope, state }: Frame,
  path?: string,
): Effect.Effect<{ readonly [key: string]: Json }, StageFailed> =>
  Effect.map(
    Effect.forEach(sections, ({ key, validate, variables }) => {
      const made = Effect.suspend(() =>
        variables({
          run: state.run,
          inputs: scope.inputs,
          now: state.now(),
          ...(path === undefined ? {} : { path }),
        }),
      )
      // No stage can have this name: it is no id.
      const name = `${path === undefined ? `${prefix}run:` : `${path}/`}section:${key}`
      return Effect.flatMap(
        Effect.mapError(
          state.journal.step(name, made),
          (failure) => new StageFailed(toFailureRecord(failure)),
        ),
        (value) => fitting(key, value, validate(value)),
      )
    }),
    (entries) => Object.fromEntries(entries),
  )

const fitting = (
  key: string,
  value: JsonObject,
  issues: Parameters<typeof listed>[0],
): Effect.Effect<readonly [string, Json], StageFailed> =>
  issues.length === 0
    ? Effect.succeed([key, value] as const)
    : Effect.fail(
        new StageFailed({
          class: "invalid_output",
          message: `the values of "${key}" do not fit their schemas: ${listed(issues)}`,
        }),
      )
