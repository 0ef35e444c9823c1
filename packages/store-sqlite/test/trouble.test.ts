/** What can be wrong with a file: each has a message of its own, and nothing that is stored is lost. */
import { spawnSync } from "node:child_process"
import { chmodSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit } from "effect"
import { newFile, newFolder, refusal, start, storeAt } from "./store.ts"

/** A store with one run whose step `a` is recorded. */
const filled = async () => {
  const path = newFile()
  const store = storeAt(path)
  await Effect.runPromise(
    Effect.gen(function* () {
      const { close, journal } = yield* store.open(start("r"))
      yield* journal.step("a", Effect.succeed(1))
      yield* close
    }),
  )
  return path
}

describe("a store in trouble", () => {
  it("a full disk stops the run with a clear message and keeps what is stored", async () => {
    const path = newFile()
    const store = storeAt(path, { maxPages: 60 })
    const { journal } = await Effect.runPromise(store.open(start("r")))
    let stored = 0
    let said = ""
    for (let index = 0; index < 100 && said === ""; index++) {
      const exit = await Effect.runPromiseExit(
        journal.step(`s${index}`, Effect.succeed("x".repeat(10_000))),
      )
      if (Exit.isSuccess(exit)) stored++
      else said = String(exit.cause)
    }
    assert.match(said, /no space left to record in .*runs\.db; what it holds is safe/)
    assert.isAbove(stored, 3)
    let ran = false
    await Effect.runPromiseExit(
      journal.step(
        "after",
        Effect.sync(() => (ran = true)),
      ),
    )
    assert.isFalse(ran)
    const again = storeAt(path)
    assert.strictEqual((await Effect.runPromise(again.steps("r"))).length, stored)
  })

  it("a folder that cannot be written is named", () => {
    const folder = newFolder()
    chmodSync(folder, 0o555)
    // Root may write everywhere, so somebody else tries.
    const program = `
      import * as Effect from "effect/Effect"
      if (process.getuid() === 0) { process.setgid(65534); process.setuid(65534) }
      const { openStore } = await import(${JSON.stringify(join(import.meta.dirname, "../src/index.ts"))})
      for (const path of ["runs.db", "new/runs.db"]) {
        const failed = Effect.runSync(Effect.scoped(Effect.flip(openStore(${JSON.stringify(folder)} + "/" + path))))
        console.log(failed.reason, failed.message)
      }`
    const { stderr, stdout } = spawnSync(process.execPath, ["--input-type=module", "-e", program], {
      cwd: join(import.meta.dirname, ".."),
      encoding: "utf8",
    })
    assert.match(
      stdout,
      /^(read_only .*runs\.db cannot be written; look at the permissions.*\n){2}$/,
      stderr,
    )
  })

  it("a file that is no store is refused and left as it is", () => {
    const path = newFile()
    writeFileSync(path, "my diary, not a database\n".repeat(200))
    const before = readFileSync(path)
    const { message, reason } = refusal(path)
    assert.strictEqual(reason, "corrupt")
    assert.match(message, /damaged or not a store of runs; it was left as it is/)
    assert.deepStrictEqual(readFileSync(path), before)
  })

  it("a damaged page stops whoever reads it, with the same message", async () => {
    const path = await filled()
    const whole = new DatabaseSync(path)
    whole.exec("PRAGMA wal_checkpoint(TRUNCATE)")
    const { rootpage } = whole
      .prepare("SELECT rootpage FROM sqlite_master WHERE name = 'steps'")
      .get() as { rootpage: number }
    whole.close()
    const bytes = readFileSync(path)
    bytes.fill(0xa5, (rootpage - 1) * 4096, rootpage * 4096)
    writeFileSync(path, bytes)
    const failed = await Effect.runPromise(Effect.flip(storeAt(path).steps("r")))
    assert.strictEqual(failed.reason, "corrupt")
  })

  it("another program's lock is waited for, and named when patience ends", async () => {
    const path = await filled()
    const store = storeAt(path, { patience: 300 })
    const other = new DatabaseSync(path)
    other.exec("BEGIN IMMEDIATE")
    const failed = await Effect.runPromise(Effect.flip(store.open(start("b"))))
    assert.strictEqual(failed.reason, "locked")
    assert.match(failed.message, /another program holds .* locked/)
    other.exec("ROLLBACK")
    const { journal } = await Effect.runPromise(store.open(start("b")))
    other.exec("BEGIN IMMEDIATE")
    const waiting = Effect.runPromise(journal.step("s", Effect.succeed(5)))
    other.exec("ROLLBACK")
    other.close()
    assert.strictEqual(await waiting, 5)
  })

  it("a schema from the future is refused and left as it is", async () => {
    const path = await filled()
    const future = new DatabaseSync(path)
    future.exec("UPDATE planloom_schema SET version = 99")
    future.close()
    const { message, reason } = refusal(path)
    assert.strictEqual(reason, "newer")
    assert.match(message, /written by a newer version of planloom/)
  })
})
