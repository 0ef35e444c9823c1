/** The erasure of users, as the server's API offers it; its code is loaded with the first request. */
import type { JsonObject, RunStore } from "@planloom/plugin/effect"
import { StoreFailed } from "@planloom/plugin/effect"
import type { EraseUser } from "@planloom/server"
import * as Effect from "effect/Effect"

/** `root` is the folder of the project, whose libraries are searched, too. */
export const servedErasure =
  (store: RunStore, root: string): EraseUser =>
  (user, { runs, via }) =>
    Effect.gen(function* () {
      const [{ countsOf, digestOf, forgetInRuns }, { forgetInFolder }, { Audit }] =
        yield* Effect.promise(() =>
          Promise.all([
            import("../users/eraseUser.ts"),
            import("@planloom/documents/manage"),
            import("@planloom/record/audit"),
          ]),
        )
      const libraries = yield* Effect.tryPromise({
        try: async () => forgetInFolder(root, user),
        catch: (error) =>
          new StoreFailed({
            reason: "unavailable",
            message: error instanceof Error ? error.message : String(error),
          }),
      })
      const forgotten = yield* Effect.catchTag(
        forgetInRuns(store, user, runs),
        "Refused",
        (refused) =>
          Effect.fail(new StoreFailed({ reason: "unavailable", message: refused.message })),
      )
      const passages = libraries.reduce((sum, one) => sum + one.passages, 0)
      const about = { ...digestOf(user), ...countsOf(forgotten), passages }
      yield* Audit.of(store)?.record({ action: "user_erased", via, about }) ?? Effect.void
      return { user, ...forgotten, libraries } as unknown as JsonObject
    })
