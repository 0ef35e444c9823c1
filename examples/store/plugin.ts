/** A store of runs as a plugin: one JSON file for each run, for small projects that want to read and diff their runs. */
import { mkdirSync } from "node:fs"
import { resolve } from "node:path"
import { definePlugin, StageFailed } from "@planloom/plugin/store"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { fileStore } from "./fileStore.ts"
import { RunFiles } from "./RunFiles.ts"

export default definePlugin({
  id: "store-files",
  summary: "Records each run in a JSON file.",
  config: Schema.Struct({ folder: Schema.NonEmptyString }),
  // `check` knows the store by this id without opening it.
  provides: { stores: ["files"] },
  setup: ({ folder }, { root }) =>
    Effect.gen(function* () {
      const path = resolve(root, folder)
      yield* Effect.try({
        try: () => mkdirSync(path, { recursive: true }),
        catch: (error) =>
          new StageFailed({
            class: "invalid_request",
            message: `the folder cannot be created: ${String(error)}`,
            detail: { path: ["folder"] },
          }),
      })
      const files = yield* Effect.acquireRelease(
        Effect.sync(() => new RunFiles(path)),
        (opened) => Effect.sync(() => opened.close()),
      )
      return { stores: [fileStore(files)] }
    }),
})
