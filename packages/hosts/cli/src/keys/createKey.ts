/** Implements `planloom keys create`: stores a new API key and prints it once. */
import type { Scope } from "@planloom/server"
import * as Effect from "effect/Effect"
import { noteAudit } from "../audit/noteAudit.ts"
import type { Handler } from "../deferred.ts"
import type { ExitName } from "../ExitCode.ts"
import { suggestion } from "../project/nearest.ts"
import { usage } from "../Refused.ts"
import { ageFlag } from "../runs/timeFlags.ts"
import { print, say, stderr } from "../terminal/Screen.ts"
import { oneLine } from "../terminal/text.ts"
import { changeKeys, KEY_FILE } from "./KeyFile.ts"

export interface CreateKeyFlags {
  readonly name: string
  readonly scope: ReadonlyArray<string>
  readonly workflow: ReadonlyArray<string>
  readonly expires: string | undefined
  readonly json: boolean
}

export const createKey: Handler<CreateKeyFlags> = ({ expires, json, name, scope, workflow }) =>
  Effect.gen(function* () {
    const { newApiKey, scopes } = yield* Effect.promise(() => import("@planloom/server"))
    const names = Object.keys(scopes)
    const unknown = scope.find((one) => !names.includes(one))
    if (unknown !== undefined) {
      return yield* usage(
        `unknown scope "${unknown}"; allowed: ${names.join(", ")}`,
        suggestion(unknown, names),
      )
    }
    if (name.trim() === "")
      return yield* usage("a key needs a name", "planloom keys create billing")
    const now = Date.now()
    const lifetime = expires === undefined ? undefined : yield* ageFlag("--expires", expires)
    const { key, stored } = yield* Effect.promise(() =>
      newApiKey({
        name,
        scopes: scope.length === 0 ? ["runs:read"] : ([...new Set(scope)] as ReadonlyArray<Scope>),
        ...(workflow.length === 0 ? {} : { workflows: [...new Set(workflow)] }),
        createdAt: now,
        ...(lifetime === undefined ? {} : { expiresAt: now + lifetime }),
      }),
    )
    yield* changeKeys((keys) => [...keys, stored])
    const { id, scopes: given } = stored
    // A key that no list names does not exist.
    yield* Effect.tapError(
      noteAudit({
        action: "key_created",
        about: {
          id,
          name,
          scopes: given,
          ...(stored.workflows && { workflows: stored.workflows }),
        },
      }),
      () => changeKeys((keys) => keys.filter((one) => one.id !== id)),
    )
    if (json) {
      const { hash: _, ...shown } = stored
      print(JSON.stringify({ ...shown, key }, null, 2))
      return "ok" as ExitName
    }
    print(key)
    say(
      stderr.style.dim(
        `${oneLine(name)} (${stored.scopes.join(", ")}${workflow.length === 0 ? "" : ` of ${oneLine(workflow.join(", "))}`}); the key is not shown again. Its hash is in ${KEY_FILE}`,
      ),
    )
    return "ok" as ExitName
  })
