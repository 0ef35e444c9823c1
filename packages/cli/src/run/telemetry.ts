/** Telemetry of a workflow that declares it; nothing is loaded for any other. */
import * as Effect from "effect/Effect"
import type { Scope } from "effect/Scope"
import type { LoadedWorkflow, RunOptions } from "@planloom/core"

/** Exports what is left when the scope closes. */
export const telemetryOf = ({
  definition: { telemetry },
}: Pick<LoadedWorkflow, "definition">): Effect.Effect<
  Pick<RunOptions, "telemetry">,
  never,
  Scope
> =>
  telemetry === undefined
    ? Effect.succeed({})
    : Effect.flatMap(
        Effect.promise(() => import("./exporters.ts")),
        ({ exporterTo }) =>
          Effect.map(exporterTo(telemetry.otlp), (started) => ({ telemetry: started })),
      )
