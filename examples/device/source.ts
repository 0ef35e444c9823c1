/** The tool source: lists the device's tools and runs them. */
import * as Effect from "effect/Effect"
import { FilesFailed } from "@planloom/tools-files"
import { ToolFailed, type ToolResult, type ToolSource } from "@planloom/plugin/effect"
import type { Device } from "./Device.ts"
import type { DeviceTool } from "./DeviceTool.ts"
import { DeviceFailed } from "./DeviceFailed.ts"
import { calendar_query } from "./tools/calendar_query.ts"
import { contact_lookup } from "./tools/contact_lookup.ts"
import { copy_text } from "./tools/copy_text.ts"
import { get_battery_status } from "./tools/get_battery_status.ts"
import { open_app, type App } from "./tools/open_app.ts"
import { read_clipboard } from "./tools/read_clipboard.ts"
import { tell_time } from "./tools/tell_time.ts"
import { toggle_bluetooth } from "./tools/toggle_bluetooth.ts"
import { toggle_flashlight } from "./tools/toggle_flashlight.ts"
import { toggle_wifi } from "./tools/toggle_wifi.ts"

/** In the order people meet them. */
const toolsFor = (apps: ReadonlyArray<App>): ReadonlyArray<DeviceTool> => [
  toggle_wifi,
  toggle_bluetooth,
  toggle_flashlight,
  open_app(apps),
  get_battery_status,
  tell_time,
  copy_text,
  read_clipboard,
  calendar_query,
  contact_lookup,
]

/** `apps`: those that a request can name. */
export const sourceOf = (device: Device, apps: ReadonlyArray<App>): ToolSource => {
  const tools = toolsFor(apps)
  const byName = new Map(tools.map((tool) => [tool.tool.name, tool]))
  return {
    id: "device",
    summary: "Acts on a device, within one folder.",
    list: Effect.succeed({ tools: tools.map(({ tool }) => tool) }),
    call: ({ params, tool }) => {
      const found = byName.get(tool)
      if (found === undefined)
        return Effect.fail(
          new ToolFailed({ tool, class: "invalid_request", message: `there is no tool ${tool}` }),
        )
      return Effect.tryPromise({
        try: async (signal): Promise<ToolResult> => ({
          value: await found.run(params, device, signal),
        }),
        catch: (error) => error,
      }).pipe(
        Effect.catch((error) =>
          error instanceof DeviceFailed || error instanceof FilesFailed
            ? Effect.fail(new ToolFailed({ tool, class: error.class, message: error.message }))
            : Effect.die(error),
        ),
      )
    },
  }
}
