/** Exporters of this process by the URL of their collector: two of one would report the same counters twice. */
import * as Effect from "effect/Effect"
import * as RcMap from "effect/RcMap"
import * as Scope from "effect/Scope"
import { startTelemetry } from "@planloom/telemetry"
import { say, stderr } from "../terminal/Screen.ts"

const exporters = Effect.runSync(
  Scope.provide(
    RcMap.make({
      lookup: (otlp: string) =>
        startTelemetry({ otlp, onProblem: (message) => say(stderr.style.warn(message)) }),
    }),
    Scope.makeUnsafe(),
  ),
)

/** The exporter stays until the last scope that uses it closes. */
export const exporterTo = (otlp: string) => RcMap.get(exporters, otlp)
