/** Starts telemetry for a workflow that declares it; runs of one process share the exporter of a collector. */
import * as Effect from "effect/Effect"
import * as RcMap from "effect/RcMap"
import * as Scope from "effect/Scope"
import type { LoadedWorkflow, RunOptions } from "@planloom/core"
import { say, stderr } from "../terminal/Screen.ts"

/** By URL. Two exporters of one process would report the same counters twice. */
const exporters = Effect.runSync(
  Scope.provide(
    RcMap.make({
      lookup: (otlp: string) =>
        Effect.flatMap(
          Effect.promise(() => import("@planloom/telemetry")),
          ({ startTelemetry }) =>
            startTelemetry({ otlp, onProblem: (message) => say(stderr.style.warn(message)) }),
        ),
    }),
    Scope.makeUnsafe(),
  ),
)

/** Exports what is left when the scope closes. Empty for a workflow without `telemetry:`. */
export const telemetryOf = ({
  definition: { telemetry },
}: Pick<LoadedWorkflow, "definition">): Effect.Effect<
  Pick<RunOptions, "telemetry">,
  never,
  Scope.Scope
> =>
  telemetry === undefined
    ? Effect.succeed({})
    : Effect.map(RcMap.get(exporters, telemetry.otlp), (started) => ({ telemetry: started }))
