/** Process that takes a turn whose later review takes an hour: `reviewer.ts folder` prints a line once the reply has left. */
import { join } from "node:path"
import { run } from "@planloom/core"
import * as Effect from "effect/Effect"
import { openStore } from "../src/index.ts"
import { reviewedBy, talking } from "./reviewedBy.ts"

const [folder = ""] = process.argv.slice(2)

const review = reviewedBy(() =>
  Effect.andThen(
    Effect.sync(() => process.stdout.write("reviewing\n")),
    // A timer keeps the process alive.
    Effect.as(Effect.sleep("1 hour"), undefined),
  ),
)

await Effect.runPromise(
  Effect.scoped(
    Effect.gen(function* () {
      const pipeline = yield* talking(folder, review)
      const store = yield* openStore(join(folder, "runs.db"))
      yield* run(pipeline, { message: "a" }, { store, session: "s", run: "a" })
    }),
  ),
)
