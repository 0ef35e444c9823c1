/** Checks the store that the project chooses: opens it and reads from it. */
import * as Effect from "effect/Effect"
import { chosenStore, SQLITE } from "../run/projectRuns.ts"
import { failing, good, type Finding } from "./Finding.ts"

/** None for a SQLite store, whose folder is checked instead: opening it would create its file. */
export const storeFindings: Effect.Effect<ReadonlyArray<Finding>> = Effect.matchEffect(
  chosenStore(""),
  {
    onFailure: ({ help, message }) => Effect.succeed([failing("Store", message, help)]),
    onSuccess: ({ id, open, plugin }): Effect.Effect<ReadonlyArray<Finding>> =>
      plugin === SQLITE
        ? Effect.succeed([])
        : Effect.match(Effect.scoped(Effect.flatMap(open, (store) => store.list({ limit: 1 }))), {
            onFailure: ({ message }) => [failing(`Store ${id}`, `cannot be opened: ${message}`)],
            onSuccess: () => [good(`Store ${id}`, `${plugin} can be read`)],
          }),
  },
)
