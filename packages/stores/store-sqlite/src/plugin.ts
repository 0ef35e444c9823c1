/** Plugin that provides the store `sqlite`. */
import { join, resolve } from "node:path"
import { definePlugin, StageFailed } from "@planloom/plugin/effect"
import * as Effect from "effect/Effect"
import { openStore } from "./openStore.ts"

/** The default file, relative to the folder of the project file, or to the working folder without one. */
const RUNS_FILE = ".planloom/runs.db"

/** Path of the database for a plugin config; `root` is the folder of the project file, empty without one. */
export const runsFile = (given: { readonly file?: unknown }, root: string): string =>
  typeof given.file === "string" ? resolve(root, given.file) : join(root, RUNS_FILE)

export default definePlugin({
  id: "store-sqlite",
  summary: "Records runs in one SQLite file.",
  config: { schema: async () => (await import("./config.ts")).config, unset: {} },
  provides: { stores: ["sqlite"] },
  setup: (given, { root }) =>
    openStore(runsFile(given, root)).pipe(
      Effect.map((store) => ({ stores: [store] })),
      Effect.mapError(
        ({ message, reason }) =>
          new StageFailed({ class: "unavailable", message, detail: { store: reason } }),
      ),
    ),
})
