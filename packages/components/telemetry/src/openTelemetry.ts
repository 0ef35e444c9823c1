/** Telemetry for hosts that do not use Effect: opened once, closed when the host ends. */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import type { Telemetry } from "@planloom/plugin/effect"
import { startTelemetry, type TelemetryOptions } from "./startTelemetry.ts"

export interface OpenedTelemetry extends Telemetry {
  /** Exports what is left, for at most two seconds. */
  readonly close: () => Promise<void>
}

export const openTelemetry = async (options: TelemetryOptions): Promise<OpenedTelemetry> => {
  const scope = Scope.makeUnsafe()
  const { observe } = await Effect.runPromise(Scope.provide(startTelemetry(options), scope))
  return { observe, close: () => Effect.runPromise(Scope.close(scope, Exit.void)) }
}
