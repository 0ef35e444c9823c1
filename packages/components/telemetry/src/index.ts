/** OpenTelemetry for runs: spans and metrics, exported over OTLP/HTTP or read by Prometheus. */
export { startTelemetry, type TelemetryOptions } from "./startTelemetry.ts"
export { openTelemetry, type OpenedTelemetry } from "./openTelemetry.ts"
export { ServerMetrics, type ServedRequest, type ServerState } from "./ServerMetrics.ts"
export { together } from "./together.ts"
