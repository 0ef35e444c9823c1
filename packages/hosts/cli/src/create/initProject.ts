/** Implements `planloom init`. */
import { join } from "node:path"
import { initProject as init, type InitFlags } from "create-planloom"
import * as Effect from "effect/Effect"
import { schemasInto, SCHEMA_FOLDER } from "../author/writeSchemas.ts"
import type { Handler } from "../deferred.ts"
import type { ExitName } from "../ExitCode.ts"
import { quiet } from "../terminal/activity.ts"
import { print, say, stderr } from "../terminal/Screen.ts"
import { isUnused, trustCreated } from "../trust/trustCreated.ts"
import { refusedCreation } from "./refusedCreation.ts"

const exits = { ok: "ok", interrupted: "interrupted", not_installed: "failed" } as const

export const initProject: Handler<InitFlags & { readonly dir: string }> = (flags) =>
  Effect.gen(function* () {
    const isNew = yield* isUnused(flags.dir)
    // Questions, and the package manager, draw on the terminal.
    quiet()
    const context = yield* Effect.context<never>()
    const outcome = yield* Effect.tryPromise({
      try: () =>
        init(flags, {
          print,
          say,
          isInteractive: process.stdin.isTTY && stderr.live,
          written: (folder) =>
            Effect.runPromiseWith(context)(
              Effect.gen(function* () {
                yield* schemasInto(join(folder, SCHEMA_FOLDER))
                if (isNew) yield* trustCreated(folder)
              }),
            ),
        }),
      catch: refusedCreation,
    })
    return exits[outcome] as ExitName
  })
