/** Settings of a request, and modes of requesting JSON, that servers support or refuse. */
import type { RequestSetting } from "@planloom/plugin/effect"

/** `tool`: JSON as the arguments of a forced tool call; `none`: a plain text request. */
export const structuredModes = ["json_schema", "json_object", "tool", "none"] as const
export type StructuredMode = (typeof structuredModes)[number]

/** Settings of a request that some servers refuse. */
export const settings = [
  "temperature",
  "top_k",
  "seed",
  "stop",
  "max_tokens",
  "stream_options",
] as const
export type Setting = (typeof settings)[number]

/** Whether a workflow can set it without knowing the server. */
export const isRequestSetting = (setting: Setting): setting is RequestSetting & Setting =>
  setting !== "max_tokens" && setting !== "stream_options"
