/** The switches of the device, in one state file. */
import type { JsonObject } from "@planloom/plugin/effect"
import type { Device } from "../Device.ts"
import { listed } from "@planloom/tools-files"
import type { DeviceTool } from "../DeviceTool.ts"
import { DeviceFailed } from "../DeviceFailed.ts"
import { state } from "./params.ts"

const FILE = "settings.json"

/** A state file larger than this was not written by these tools. */
const LARGEST = 64 * 1024

const readSettings = async ({ kept }: Device): Promise<{ [setting: string]: boolean }> => {
  const found = await kept.kept(FILE, LARGEST)
  if (found === undefined) return {}
  try {
    const read: unknown = JSON.parse(new TextDecoder().decode(found.bytes))
    if (typeof read !== "object" || read === null || Array.isArray(read)) throw new TypeError()
    return Object.fromEntries(
      Object.entries(read).filter(([, value]) => typeof value === "boolean"),
    ) as { [setting: string]: boolean }
  } catch {
    throw new DeviceFailed(
      "the state file of the settings cannot be read; remove .state/settings.json",
    )
  }
}

/** A tool that switches one setting. `label` is its name in sentences. */
export const toggle = (name: string, setting: string, label: string): DeviceTool => ({
  tool: {
    ...listed(name, `Turns ${label} on or off.`, "automation", { state }, ["state"]),
    effect: "write",
    // `flip` depends on the state before.
    idempotent: false,
  },
  run: (params, device): Promise<JsonObject> =>
    device.inTurn(async () => {
      const settings = await readSettings(device)
      const before = settings[setting] ?? false
      const after = params["state"] === "flip" ? !before : params["state"] === "on"
      await device.kept.keep(FILE, `${JSON.stringify({ ...settings, [setting]: after })}\n`)
      const now = after ? "on" : "off"
      return {
        text: before === after ? `${label} was ${now} already.` : `${label} is ${now} now.`,
        setting,
        on: after,
        changed: before !== after,
      }
    }),
})
