/** The plugin: a reader of messages, and tools that need a folder to act in. */
import { join, resolve } from "node:path"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { definePlugin, StageFailed } from "@planloom/plugin"
import { oneByOne } from "./Device.ts"
import { reader } from "./reader.ts"
import { DeviceFailed } from "./sandbox/DeviceFailed.ts"
import { Library } from "./sandbox/Library.ts"
import { Sandbox } from "./sandbox/Sandbox.ts"
import { sourceOf } from "./source.ts"

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

const inRefusal = (error: unknown): StageFailed =>
  new StageFailed({
    class: "invalid_request",
    detail: { path: ["folder"] },
    message: error instanceof DeviceFailed ? error.message : String(error),
  })

export default definePlugin({
  id: "device",
  summary: "A device: a reader of messages to it, and tools in a sandbox folder.",
  config: Config,
  components: { readers: [reader] },
  provides: { tools: ["device"] },
  setup: ({ folder, max_file_bytes: bytes = 8192, max_files: files = 20_000 }, host) =>
    Effect.tryPromise({
      try: async () => {
        const sandbox = await Sandbox.open(
          folder === undefined ? join(import.meta.dirname, "device") : resolve(host.root, folder),
        )
        const library = new Library(sandbox, { files, bytes })
        const power = "/sys/class/power_supply"
        return { tools: [sourceOf({ sandbox, library, bytes, power, inTurn: oneByOne() })] }
      },
      catch: inRefusal,
    }),
})
