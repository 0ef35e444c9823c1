/** The plugin: tools on a SQLite database, opened with the first call. */
import { resolve } from "node:path"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { definePlugin } from "@planloom/plugin/effect"
import { Database } from "./Database.ts"
import { sourceOf, tools } from "./source.ts"

const Config = Schema.Struct({
  /** The database, from the project's folder; `:memory:` keeps nothing. */
  file: Schema.optionalKey(Schema.NonEmptyString),
})

export default definePlugin({
  id: "concierge",
  summary: "Tools of a remittance service, on a SQLite database.",
  config: Config,
  provides: { tools: [{ id: "concierge", tools }] },
  setup: ({ file = ".planloom/concierge.db" }, { root }) =>
    Effect.gen(function* () {
      let opened: Database | undefined
      yield* Effect.addFinalizer(() => Effect.sync(() => opened?.close()))
      const path = file === ":memory:" ? file : resolve(root, file)
      return { tools: [sourceOf(() => (opened ??= new Database(path)))] }
    }),
})
