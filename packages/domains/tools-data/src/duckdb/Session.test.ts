import { existsSync, mkdirSync, readdirSync } from "node:fs"
import { tmpdir } from "node:os"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { call, folder, given, independently, invoke, open } from "../../test/toolCall.ts"
import { query } from "./query.ts"
import { closeSessions, withSession } from "./Session.ts"

/** Files of this process; others may run concurrently. */
const left = (): ReadonlyArray<string> => {
  const home = path.join(tmpdir(), `planloom-${process.getuid?.() ?? "data"}`)
  return readdirSync(home).filter((name) => name.startsWith(`spill-${process.pid}-`))
}

const refusal = (files: ReadonlyArray<string>, sql: string) =>
  Effect.runPromise(Effect.flip(withSession(files, (session) => query(session, sql))))

describe("a session", () => {
  it("opens only its own files", async () => {
    const [own, other] = [given("own.csv", "a\n1\n"), given("other.csv", "secret\n42\n")]
    const result = await Effect.runPromise(
      withSession([own], (session) => query(session, `SELECT * FROM read_csv('${own}')`)),
    )
    assert.deepStrictEqual(result.rows, [{ a: 1 }])
    for (const sql of [
      `SELECT * FROM read_csv('${other}')`,
      `SELECT * FROM '${other}'`,
      `SELECT * FROM read_text('${other}')`,
      `SELECT * FROM read_blob('/etc/passwd')`,
      `SELECT * FROM glob('${folder}/*')`,
      `SELECT * FROM read_csv('https://example.com/a.csv')`,
      `COPY (SELECT 1) TO '${folder}/written.csv'`,
      `ATTACH '${folder}/attached.db'`,
      "INSTALL httpfs",
      "LOAD httpfs",
      "SET enable_external_access = true",
      `SET allowed_paths = ['${other}']`,
    ])
      assert.strictEqual((await refusal([own], sql))._tag, "DataFailed", sql)
    assert.isFalse(existsSync(`${folder}/written.csv`))
    assert.isFalse(existsSync(`${folder}/attached.db`))
  })

  it("cancels the statement if the fiber is interrupted, and remains usable", async () => {
    const file = given("slow.csv", "a\n1\n")
    const began = performance.now()
    await Effect.runPromise(
      withSession([file], (session) =>
        Effect.gen(function* () {
          const fiber = yield* Effect.forkChild(
            query(
              session,
              "SELECT count(*) FROM range(3000000) a, range(3000000) b WHERE a.range * b.range = 7",
            ),
          )
          yield* Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 100)))
          yield* Fiber.interrupt(fiber)
          const after = yield* query(session, "SELECT 1 AS one")
          assert.deepStrictEqual(after.rows, [{ one: 1 }])
        }),
      ),
    )
    assert.isBelow(performance.now() - began, 10_000)
  })

  it("spills data that exceeds memory to disk, and removes it on close", async () => {
    const file = given("spill.csv", "a\n1\n")
    const seen = await Effect.runPromise(
      withSession([file], (session) =>
        Effect.gen(function* () {
          yield* query(session, "SET memory_limit = '60MB'")
          yield* query(
            session,
            "CREATE TABLE t AS SELECT range AS a, hash(range) AS b FROM range(6000000)",
          )
          return left()
        }),
      ),
    )
    assert.strictEqual(seen.length, 1)
    closeSessions()
    assert.deepStrictEqual(left(), [])
  })

  it("removes files left by a killed process", async () => {
    const home = path.join(tmpdir(), `planloom-${process.getuid?.() ?? "data"}`)
    // No process has a number this high.
    const stale = path.join(home, "spill-4194999-1-x")
    mkdirSync(stale, { recursive: true })
    closeSessions()
    await open(given("after.csv", "a\n1\n"))
    assert.isFalse(existsSync(stale))
  })

  it("removes its files after an interrupted tool", async () => {
    const file = given(
      "wide.csv",
      `a,b\n${Array.from({ length: 200_000 }, (_, index) => `${index},${index % 1000}`).join("\n")}\n`,
    )
    const table = await open(file)
    for (const [tool, params] of [
      ["aggregate", { group_by: ["a", "b"], agg: "count" }],
      ["export", { name: "cut_off" }],
    ] as const) {
      const fiber = Effect.runFork(invoke(tool, params as never, { table }))
      await new Promise((resolve) => setImmediate(resolve))
      await Effect.runPromise(Fiber.interrupt(fiber))
    }
    assert.isFalse(existsSync(`${folder}/workspace/cut_off.csv`))
    closeSessions()
    assert.deepStrictEqual(left(), [])
  })

  it("serves concurrent calls and computes each result once", async () => {
    const table = await open(
      given(
        "busy.csv",
        `a,b\n${Array.from({ length: 999 }, (_, i) => `${i % 7},${i}`).join("\n")}\n`,
      ),
    )
    const results = await Promise.all(
      Array.from({ length: 24 }, (_, index) =>
        call(
          "aggregate",
          { group_by: ["a"], metrics: ["b"], agg: index % 2 === 0 ? "sum" : "max" },
          { table },
        ),
      ),
    )
    assert.strictEqual(new Set(results.map((each) => JSON.stringify(each))).size, 2)
    const [expected] = await independently(
      "SELECT sum(i)::DOUBLE AS s FROM range(999) t(i) WHERE i % 7 = 3",
    )
    const sums = results[0]!["preview"] as ReadonlyArray<{ a: number; b: number }>
    assert.strictEqual(sums[3]!.b, expected!["s"])
  })
})
