/** A store of runs as a plugin: one JSON file for each run, for small projects that want to read and diff their runs. */
import { mkdir } from "node:fs/promises"
import { resolve } from "node:path"
import { definePlugin, StageFailed } from "@planloom/plugin"
import * as Schema from "effect/Schema"
import { fileStore } from "./fileStore.ts"
import { RunFiles } from "./RunFiles.ts"

export default definePlugin({
  id: "store-files",
  summary: "Records each run in a JSON file.",
  config: Schema.Struct({ folder: Schema.NonEmptyString }),
  // `check` knows the store by this id without opening it.
  provides: { stores: ["files"] },
  setup: async ({ folder }, { onRelease, root }) => {
    const path = resolve(root, folder)
    await mkdir(path, { recursive: true }).catch((error: unknown) => {
      throw new StageFailed({
        class: "invalid_request",
        message: `the folder cannot be created: ${String(error)}`,
        detail: { path: ["folder"] },
      })
    })
    const files = new RunFiles(path)
    onRelease(() => files.close())
    return { stores: [fileStore(files)] }
  },
})
