/** Implements `planloom new`. */
import { createPackage, type ComponentKind } from "create-planloom"
import * as Effect from "effect/Effect"
import type { Handler } from "../deferred.ts"
import type { ExitName } from "../ExitCode.ts"
import { print, say, stdout } from "../terminal/Screen.ts"
import { refusedCreation } from "./refusedCreation.ts"

export interface NewFlags {
  readonly name: string
  readonly dir: string | undefined
}

export const newPackage =
  (kind: ComponentKind): Handler<NewFlags> =>
  ({ dir, name }) =>
    Effect.gen(function* () {
      const files = yield* Effect.tryPromise({
        try: () => createPackage(kind, name, dir),
        catch: refusedCreation,
      })
      for (const file of files) print(`${stdout.style.good("+")} ${file}`)
      say(`\nnext:\n  cd ${dir ?? name}\n  npm install\n  npm test`)
      return "ok" as ExitName
    })
