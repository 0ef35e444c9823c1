/** Exporters of this process by the URL of their collector: two of one would report the same counters twice. */
import * as Effect from "effect/Effect"
import * as RcMap from "effect/RcMap"
import * as Scope from "effect/Scope"
import { startTelemetry } from "@planloom/telemetry"
import { say, stderr } from "../terminal/Screen.ts"

const exporters = Effect.runSync(
  Scope.provide(
    RcMap.make({
      lookup: (key: string) => {
        const [otlp, withHeaders] = JSON.parse(key) as readonly [string, boolean]
        return startTelemetry({
          otlp,
          withHeaders,
          onProblem: (message) => say(stderr.style.warn(message)),
        })
      },
    }),
    Scope.makeUnsafe(),
  ),
)

/**
 * The exporter stays until the last scope that uses it closes. `withHeaders`: the headers of the environment go with its
 * requests.
 */
export const exporterTo = (otlp: string, withHeaders: boolean) => {
  if (!withHeaders && process.env["OTEL_EXPORTER_OTLP_HEADERS"] !== undefined) {
    say(
      stderr.style.warn(
        `the collector ${otlp} gets no headers of OTEL_EXPORTER_OTLP_HEADERS: a file of a folder that is not trusted names it; --trust sends them once`,
      ),
    )
  }
  return RcMap.get(exporters, JSON.stringify([otlp, withHeaders]))
}
