/** The plugin: tools that need a folder to act in. */
import { join, resolve } from "node:path"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { definePlugin, StageFailed } from "@planloom/plugin/effect"
import { FilesFailed, fileTools, Folder, KeptFiles } from "@planloom/tools-files"
import { oneByOne } from "./Device.ts"
import { sourceOf } from "./source.ts"
import { readApps } from "./tools/open_app.ts"

const Config = Schema.Struct({
  /** The folder the tools may touch, from the workflow's own; the sample beside this file unless given. */
  folder: Schema.optionalKey(Schema.NonEmptyString),
  /** Files looked at in one search. */
  max_files: Schema.optionalKey(
    Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 1_000_000 })),
  ),
  /** Bytes read of each file. */
  max_file_bytes: Schema.optionalKey(
    Schema.Int.check(Schema.isBetween({ minimum: 256, maximum: 1_048_576 })),
  ),
})

/** Files that the device keeps for itself: no search shows them. */
export const lists = ["contacts.json", "calendar.ics", "apps.json"]

const inRefusal = (error: unknown): StageFailed =>
  new StageFailed({
    class: "invalid_request",
    detail: { path: ["folder"] },
    message: error instanceof FilesFailed ? error.message : String(error),
  })

export default definePlugin({
  id: "device",
  summary: "Tools of a device, in one folder.",
  config: Config,
  provides: { tools: ["files", "device"] },
  setup: ({ folder: given, max_file_bytes: bytes = 8192, max_files: files = 20_000 }, host) =>
    Effect.tryPromise({
      try: async () => {
        const folder = await Folder.open(
          given === undefined ? join(import.meta.dirname, "device") : resolve(host.root, given),
        )
        const state = join(folder.root, ".state")
        const { root } = folder
        const search = await fileTools({ root, exclude: lists, cache: state, files, bytes })
        const power = "/sys/class/power_supply"
        const kept = new KeptFiles(state)
        const device = { folder, kept, bytes, power, inTurn: oneByOne() }
        return { tools: [search, sourceOf(device, await readApps(device))] }
      },
      catch: inRefusal,
    }),
})
