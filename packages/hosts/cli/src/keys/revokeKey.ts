/** Implements `planloom keys revoke`: removes an API key from the file. */
import * as Effect from "effect/Effect"
import { noteAudit } from "../audit/noteAudit.ts"
import type { Handler } from "../deferred.ts"
import type { ExitName } from "../ExitCode.ts"
import { problem } from "../Refused.ts"
import { say } from "../terminal/Screen.ts"
import { oneLine } from "../terminal/text.ts"
import { changeKeys, readKeys, withKeys } from "./KeyFile.ts"

export const revokeKey: Handler<{ readonly key: string }> = ({ key }) =>
  Effect.gen(function* () {
    const keys = yield* withKeys(readKeys)
    const found = keys.filter(({ id, name }) => id === key || name === key)
    const [only] = found
    if (only === undefined || found.length > 1) {
      return yield* problem(
        only === undefined
          ? `there is no key "${oneLine(key)}"`
          : `${found.length} keys are named "${oneLine(key)}"; revoke one by its id`,
        only === undefined ? "planloom keys list" : found.map(({ id }) => id).join("\n"),
      )
    }
    yield* changeKeys((all) => all.filter(({ id }) => id !== only.id))
    yield* noteAudit({ action: "key_revoked", about: { id: only.id, name: only.name } })
    say(`revoked the key ${only.id} (${oneLine(only.name)})`)
    return "ok" as ExitName
  })
