/** The plugin: one folder, and the tools that search it. */
import { resolve } from "node:path"
import * as Effect from "effect/Effect"
import { definePlugin, StageFailed } from "@planloom/plugin/effect"
import { requireFolder } from "@planloom/plugin/targets"
import type { Config } from "./config.ts"
import { FilesFailed } from "./FilesFailed.ts"
import { fileTools, listedTools } from "./source.ts"

export default definePlugin<Config>({
  id: "tools_files",
  summary: "Search of the files, documents and photos in one folder.",
  config: { schema: async () => (await import("./config.ts")).config },
  provides: { tools: [{ id: "files", tools: listedTools }] },
  setup: ({ cache: given, exclude, max_file_bytes: bytes, max_files: files, root }, host) =>
    Effect.flatMap(requireFolder(given, host, "cache"), (cache) =>
      Effect.tryPromise({
        try: async () => {
          const options = {
            root: resolve(host.root, root),
            ...(exclude === undefined ? {} : { exclude }),
            ...(cache === undefined ? {} : { cache }),
            ...(bytes === undefined ? {} : { bytes }),
            ...(files === undefined ? {} : { files }),
          }
          return { tools: [await fileTools(options)] }
        },
        catch: (error) =>
          new StageFailed({
            class: "invalid_request",
            detail: { path: ["root"] },
            message: error instanceof FilesFailed ? error.message : String(error),
          }),
      }),
    ),
})
