/** Says how full the battery is, as the operating system tells it. */
import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import { listed } from "@planloom/tools-files"
import type { DeviceTool } from "../DeviceTool.ts"

/** One line of a file the kernel writes; undefined where it has none. */
const lineOf = (path: string): Promise<string | undefined> =>
  readFile(path, "utf8").then(
    (text) => text.trim(),
    () => undefined,
  )

/** https://www.kernel.org/doc/Documentation/ABI/testing/sysfs-class-power */
const batteryIn = async (folder: string) => {
  const [type, scope, capacity, status] = await Promise.all(
    ["type", "scope", "capacity", "status"].map((name) => lineOf(join(folder, name))),
  )
  const percent = Number(capacity)
  // A mouse has a battery too; its scope is Device.
  return type === "Battery" && scope !== "Device" && capacity !== undefined && percent <= 100
    ? { percent, status: status ?? "Unknown" }
    : undefined
}

export const get_battery_status: DeviceTool = {
  tool: listed("get_battery_status", "Says how full the battery is.", "automation", {}),
  run: async (_, { power }) => {
    const supplies = await readdir(power).catch(() => [])
    const found = await Promise.all(supplies.toSorted().map((one) => batteryIn(join(power, one))))
    const battery = found.find((one) => one !== undefined)
    if (battery === undefined)
      return {
        text: "There is no battery here, or the system does not tell of one.",
        battery: null,
      }
    const { percent, status } = battery
    return {
      text: `The battery is at ${percent} % (${status.toLowerCase()}).`,
      battery: { percent, status: status.toLowerCase() },
    }
  },
}
