/** Ten stages in sequence, recorded in SQLite. */
import * as Effect from "effect/Effect"
import * as Scope from "effect/Scope"
import { dirname, join } from "node:path"
import { run } from "@planloom/core"
import { openStore } from "@planloom/store-sqlite"
import { increments, tenStages } from "./increments.ts"
import { open, type Start } from "./Work.ts"

export const start: Start = async () => {
  const { path, pipeline, text } = await open({ body: tenStages(), plugins: [increments] })
  const opening = Scope.provide(openStore(join(dirname(path), "runs.db")), Scope.makeUnsafe())
  const store = await Effect.runPromise(opening)
  const definition = { file: path, texts: { [path]: text } }
  return async () => {
    const { outputs } = await Effect.runPromise(run(pipeline, { n: 1 }, { store, definition }))
    if (outputs["n"] !== 11) throw new Error(JSON.stringify(outputs))
  }
}
