/** Says what time and which day it is, by the clock of this machine. */
import { listed } from "@planloom/tools-files"
import type { DeviceTool } from "../DeviceTool.ts"

const words = new Intl.DateTimeFormat("en-GB", { dateStyle: "full", timeStyle: "short" })

export const tell_time: DeviceTool = {
  tool: listed("tell_time", "Says what time and which day it is.", "automation", {}),
  run: async () => {
    const now = new Date()
    return { text: `It is ${words.format(now)}.`, now: now.toISOString() }
  },
}
