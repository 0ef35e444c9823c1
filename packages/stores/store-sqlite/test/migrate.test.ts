/** Files of every earlier schema: this version reads their runs and resumes them. */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { load } from "@planloom/embed"
import { resultOf } from "@planloom/core"
import { resume } from "@planloom/record"
import { migrations } from "../src/sql.ts"
import { newFile, storeAt } from "./store.ts"
import { plugin } from "./workflow.ts"

const folder = join(import.meta.dirname, "fixture")
const fixtures = readdirSync(folder).filter((name) => /^schema-\d+\.sql$/.test(name))

/** A file written by that version. */
const written = (fixture: string): string => {
  const path = newFile()
  const database = new DatabaseSync(path)
  database.exec("PRAGMA journal_mode = WAL")
  database.exec(readFileSync(join(folder, fixture), "utf8"))
  database.close()
  return path
}

/** The workflow the run started with. */
interface Definition {
  readonly file: string
  readonly texts: { readonly [path: string]: string }
}

describe.each(fixtures)("a SQLite store file of %s", (fixture) => {
  it.effect("is migrated to the newest schema once", () =>
    Effect.gen(function* () {
      const path = written(fixture)
      yield* storeAt(path).list()
      const database = new DatabaseSync(path)
      const { version } = database.prepare("SELECT version FROM planloom_schema").get()!
      database.close()
      assert.strictEqual(version, migrations.length)
      assert.strictEqual((yield* storeAt(path).list()).length, 3)
    }),
  )

  it.effect("keeps its runs, events, steps, large values and ends", () =>
    Effect.gen(function* () {
      const store = storeAt(written(fixture))
      assert.deepStrictEqual(
        (yield* store.list()).map(({ active, run, status }) => [run, status, active]),
        [
          ["large", "running", false],
          ["whole", "succeeded", false],
          ["r", "running", false],
        ],
      )
      const result = resultOf(yield* store.events("whole"))
      assert.strictEqual(result.status, "succeeded")
      assert.deepStrictEqual(result.outputs, {
        each: [
          { doubled: 2, own: 2 },
          { doubled: 4, own: 3 },
        ],
        sum: 9,
      })
      const [big] = yield* store.steps("large")
      assert.deepStrictEqual(big?.outcome, { ok: true, value: "x".repeat(1_100_000) })
    }),
  )

  it.live("has a killed run that resumes without repeating recorded work", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const store = storeAt(written(fixture))
        const recorded = yield* store.steps("r")
        const { file, texts } = (yield* store.definition("r")) as unknown as Definition
        const happened: Array<string> = []
        const { pipeline } = yield* load(file, {
          texts: new Map(Object.entries(texts)),
          extraPlugins: [plugin((what) => happened.push(what))],
        })
        const result = yield* resume(pipeline, "r", { store })
        assert.strictEqual(result.status, "succeeded")
        assert.strictEqual(result.outputs["sum"], 9)
        assert.strictEqual(recorded.length, 12)
        // `first` and the first item had happened, twice each.
        assert.deepStrictEqual(
          happened.filter((what) => /first|each\[0\]/.test(what)),
          [],
        )
        assert.isAbove(happened.length, 5)
        const events = yield* store.events("r")
        assert.deepStrictEqual(
          events.map(({ seq }) => seq),
          events.map((_, index) => index),
        )
      }),
    ),
  )
})
