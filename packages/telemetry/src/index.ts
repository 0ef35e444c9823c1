/** OpenTelemetry for runs: spans and metrics, exported over OTLP/HTTP. */
export { startTelemetry, type TelemetryOptions } from "./startTelemetry.ts"
export { openTelemetry, type OpenedTelemetry } from "./openTelemetry.ts"
