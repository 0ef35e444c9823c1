/** One tool of the device: what is said of it, and what it does. */
import type { JsonObject, Tool } from "@planloom/plugin/effect"
import type { Device } from "./Device.ts"

/**
 * `run` gives data with a `text`: one sentence for a person that says what happened. It fails with
 * `DeviceFailed`. `params` have been checked against the tool's own.
 */
export interface DeviceTool {
  readonly tool: Tool
  readonly run: (params: JsonObject, device: Device, signal: AbortSignal) => Promise<JsonObject>
}
