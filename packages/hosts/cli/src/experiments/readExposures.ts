/** What the recorded runs of a workflow observed of an experiment. */
import { compileExpression } from "@planloom/expression"
import type { Experiment, Exposure } from "@planloom/hooks/report"
import type { Json, JsonObject, RunEvent, RunRecord, RunStore } from "@planloom/plugin/effect"
import * as Effect from "effect/Effect"

/** Runs that have not ended yet have no outcome. */
export const readExposures = Effect.fnUntraced(function* (
  store: RunStore,
  workflow: string,
  experiments: ReadonlyArray<readonly [name: string, experiment: Experiment]>,
) {
  const outcomes = new Map(
    experiments.flatMap(([name, { outcome }]) =>
      outcome === undefined ? [] : [[name, compileExpression(outcome)] as const],
    ),
  )
  const exposures = new Map<string, Array<Exposure>>(experiments.map(([name]) => [name, []]))
  for (const record of yield* store.list({ workflow })) {
    const events = yield* store.events(record.run)
    for (const event of events) {
      if (event.type !== "VariantExposed" || event.workflow !== workflow) continue
      const unit = unitOf(event, record)
      if (unit === undefined) continue
      exposures.get(event.experiment)?.push({
        unit,
        variant: event.variant,
        outcome: outcomeOf(outcomes.get(event.experiment), record, events),
      })
    }
  }
  return exposures
})

type Exposed = Extract<RunEvent, { readonly type: "VariantExposed" }>

const unitOf = ({ unit }: Exposed, { run, session, userDigest }: RunRecord): string | undefined =>
  unit === "run" ? run : unit === "session" ? session : userDigest

/** Undefined for a run without an end, and for an outcome that cannot be read from it. */
const outcomeOf = (
  outcome: ReturnType<typeof compileExpression> | undefined,
  { status }: RunRecord,
  events: ReadonlyArray<RunEvent>,
): boolean | number | undefined => {
  const end = events.findLast(({ type }) => type === "RunFinished" || type === "RunFailed")
  if (outcome === undefined || end === undefined) return undefined
  const outputs: JsonObject = ("outputs" in end ? end.outputs : undefined) ?? {}
  const value: Json | undefined = evaluated(() => outcome.evaluate({ outputs, status } as never))
  return typeof value === "boolean" || typeof value === "number" ? value : undefined
}

/** An expression over outputs that a failed run does not have fails. */
const evaluated = (evaluate: () => Json): Json | undefined => {
  try {
    return evaluate()
  } catch {
    return undefined
  }
}
