/** Values that sections give expressions: made once, recorded, and checked against their schemas. */
import * as Effect from "effect/Effect"
import {
  StageFailed,
  toFailureRecord,
  type Assignment,
  type Failure,
  type Json,
  type JsonObject,
  type SectionContext,
} from "@planloom/plugin/effect"
import { below, ofRun } from "@planloom/plugin/segments"
import { formatIssues } from "@planloom/schema"
import type { PipelineSection } from "../../pipeline/Pipeline.ts"
import type { Frame } from "../Frame.ts"

/** By key; `path` is that of the stage whose sections they are. */
export const sectionValues = (
  sections: ReadonlyArray<PipelineSection>,
  frame: Frame,
  path?: string,
): Effect.Effect<{ readonly [key: string]: Json }, StageFailed> =>
  Effect.map(
    Effect.forEach(sections, (section) => {
      const { key, validate, variables, variants } = section
      const fitting = (values: JsonObject) => fittingValues(key, values, validate(values))
      return variants === undefined
        ? Effect.flatMap(recorded(key, frame, path, variables!), fitting)
        : Effect.flatMap(recorded(key, frame, path, variants), (assigned) =>
            Effect.map(fitting(variantsOf(assigned)), () => {
              assign(frame, assigned)
              return [key, exposing(frame, assigned) as JsonObject] as const
            }),
          )
    }),
    (entries) => Object.fromEntries(entries),
  )

const recorded = <A>(
  key: string,
  { prefix, scope, state }: Frame,
  path: string | undefined,
  make: (context: SectionContext) => Effect.Effect<A, Failure>,
): Effect.Effect<A, StageFailed> => {
  const made = Effect.suspend(() =>
    make({
      run: state.run,
      inputs: scope.inputs,
      user: state.user,
      collection: state.collection,
      now: state.now(),
      ...(state.session === undefined ? {} : { session: state.session }),
      ...(path === undefined ? {} : { path }),
    }),
  )
  const name = path === undefined ? ofRun("section", [key], prefix) : below(path, "section", key)
  return Effect.mapError(
    state.journal.step(name, made as unknown as Effect.Effect<Json, Failure>),
    (failure) => new StageFailed(toFailureRecord(failure)),
  ) as unknown as Effect.Effect<A, StageFailed>
}

interface Assigned {
  readonly [experiment: string]: Assignment
}

const variantsOf = (assigned: Assigned): { readonly [experiment: string]: string } =>
  Object.fromEntries(Object.entries(assigned).map(([name, { variant }]) => [name, variant]))

const assign = ({ pipeline, state, variants }: Frame, assigned: Assigned): void => {
  const { name: workflow } = pipeline
  for (const [experiment, { reason, unit, variant }] of Object.entries(assigned)) {
    const isIn = reason === "hash" || reason === "kept"
    let isExposed = !isIn
    variants[experiment] = () => {
      if (!isExposed) {
        isExposed = true
        state.emit({ type: "VariantExposed", workflow, experiment, variant, unit })
      }
      return variant
    }
    state.emit({ type: "VariantAssigned", workflow, experiment, variant, unit, reason })
  }
}

/** The variants as expressions read them: a read exposes the unit, in each variant alike. */
const exposing = ({ variants }: Frame, assigned: Assigned): object =>
  Object.defineProperties(
    {},
    Object.fromEntries(
      Object.keys(assigned).map((experiment) => [
        experiment,
        { enumerable: true, get: variants[experiment]! },
      ]),
    ),
  )

const fittingValues = (
  key: string,
  value: JsonObject,
  issues: Parameters<typeof formatIssues>[0],
): Effect.Effect<readonly [string, Json], StageFailed> =>
  issues.length === 0
    ? Effect.succeed([key, value] as const)
    : Effect.fail(
        new StageFailed({
          class: "invalid_output",
          message: `the values of "${key}" do not fit their schemas: ${formatIssues(issues)}`,
        }),
      )
