/** Failures of the store's file: each has its own message, and no stored data is lost. */
import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { chmodSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Result } from "effect"
import { openStore } from "../src/index.ts"
import { migrations } from "../src/sql.ts"
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

/** Another process that holds a write transaction until `release`. */
const holding = async (path: string) => {
  const program = `
    const { DatabaseSync } = require("node:sqlite")
    const database = new DatabaseSync(${JSON.stringify(path)})
    database.exec("BEGIN IMMEDIATE")
    console.log("held")
    process.stdin.on("end", () => process.exit(0)).resume()`
  const child = spawn(process.execPath, ["-e", program], { stdio: ["pipe", "pipe", "inherit"] })
  await once(child.stdout, "data")
  return {
    release: async () => {
      child.stdin.end()
      await once(child, "exit")
    },
  }
}

describe("failures of the SQLite store", () => {
  it.each([
    ["deleted", (path: string) => rmSync(dirname(path), { recursive: true })],
    [
      "replaced",
      (path: string) => {
        renameSync(path, `${path}.old`)
        writeFileSync(path, "")
      },
    ],
  ])(
    "a %s file is reported by the run that records in it, and not created again",
    async (_, lose) => {
      const path = newFile()
      const store = storeAt(path)
      const { close, journal } = await Effect.runPromise(store.open(start("r")))
      await Effect.runPromise(journal.step("a", Effect.succeed(1)))
      lose(path)
      const before = existsSync(path)
      const said = /was deleted or replaced while it was in use/
      assert.match((await Effect.runPromise(Effect.flip(close))).message, said)
      assert.match((await Effect.runPromise(Effect.flip(store.revision))).message, said)
      assert.match((await Effect.runPromise(Effect.flip(store.open(start("s"))))).message, said)
      assert.strictEqual(existsSync(path), before)
    },
  )

  it("a full disk stops the run with a clear message and keeps what is stored", async () => {
    const path = newFile()
    const store = storeAt(path, { maxPages: 60 })
    const { journal } = await Effect.runPromise(store.open(start("r")))
    let stored = 0
    let message = ""
    for (let index = 0; index < 100 && message === ""; index++) {
      const exit = await Effect.runPromiseExit(
        journal.step(`s${index}`, Effect.succeed("x".repeat(10_000))),
      )
      if (Exit.isSuccess(exit)) stored++
      else message = String(exit.cause)
    }
    assert.match(message, /no space left to record in .*runs\.db; what it holds is safe/)
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

  it("a read-only folder is named", () => {
    const folder = newFolder()
    chmodSync(folder, 0o555)
    // Root may write everywhere, so the process drops its privileges.
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

  it("a read-only file is named and keeps its data", async () => {
    const path = await filled()
    const program = `
      import * as Effect from "effect/Effect"
      if (process.getuid() === 0) { process.setgid(65534); process.setuid(65534) }
      const { openStore } = await import(${JSON.stringify(join(import.meta.dirname, "../src/index.ts"))})
      const failed = Effect.runSync(Effect.scoped(Effect.flip(
        Effect.flatMap(openStore(${JSON.stringify(path)}), (store) => store.open({ run: "b", workflow: "t", inputs: {} })))))
      console.log(failed.reason, failed.message)`
    for (const name of ["", "-wal", "-shm"]) chmodSync(path + name, 0o444)
    chmodSync(join(path, ".."), 0o555)
    const { stderr, stdout } = spawnSync(process.execPath, ["--input-type=module", "-e", program], {
      cwd: join(import.meta.dirname, ".."),
      encoding: "utf8",
    })
    assert.match(stdout, /^read_only .*runs\.db cannot be written; look at the permissions/, stderr)
    chmodSync(join(path, ".."), 0o755)
    for (const name of ["", "-wal", "-shm"]) chmodSync(path + name, 0o644)
    assert.strictEqual((await Effect.runPromise(storeAt(path).steps("r"))).length, 1)
  })

  it("a file that is not a store is refused and stays unchanged", () => {
    const path = newFile()
    writeFileSync(path, "my diary, not a database\n".repeat(200))
    const before = readFileSync(path)
    const { message, reason } = refusal(path)
    assert.strictEqual(reason, "corrupt")
    assert.match(message, /damaged or not a store of runs; it was not changed/)
    assert.deepStrictEqual(readFileSync(path), before)
  })

  it("damaged bytes fail the reads that need them; the rest is still readable", async () => {
    const path = newFile()
    const runs = Array.from({ length: 60 }, (_, index) => `r${index}`)
    await Effect.runPromise(
      Effect.gen(function* () {
        const store = storeAt(path)
        for (const run of runs) {
          const { close, journal } = yield* store.open(start(run))
          for (const name of ["a", "b", "c"]) {
            yield* journal.step(name, Effect.succeed(`${run} `.repeat(300)))
          }
          yield* close
        }
      }),
    )
    const whole = new DatabaseSync(path)
    whole.exec("PRAGMA wal_checkpoint(TRUNCATE)")
    const leaves = whole
      .prepare("SELECT pageno FROM dbstat WHERE name = 'steps' AND pagetype = 'leaf' ORDER BY path")
      .all() as Array<{ pageno: number }>
    whole.close()
    assert.isAbove(leaves.length, 10)
    const { pageno } = leaves[leaves.length >> 1]!
    const bytes = readFileSync(path)
    for (let at = (pageno - 1) * 4096; at < (pageno - 1) * 4096 + 64; at++) bytes[at]! ^= 0xff
    writeFileSync(path, bytes)
    const store = storeAt(path)
    const sound = new Set<string>()
    for (const run of runs) {
      const exit = await Effect.runPromise(Effect.result(store.steps(run)))
      if (Result.isSuccess(exit)) {
        assert.strictEqual(exit.success.length, 3)
        sound.add(run)
      } else {
        assert.strictEqual(exit.failure.reason, "corrupt")
        assert.match(exit.failure.message, /damaged or not a store of runs; it was not changed/)
      }
    }
    assert.isAbove(sound.size, 50)
    assert.isBelow(sound.size, 60)
    assert.strictEqual((await Effect.runPromise(store.list())).length, 60)
    // A resume fails either at opening or at the step that cannot be read.
    let message = ""
    for (const run of runs.filter((name) => !sound.has(name))) {
      const opened = await Effect.runPromise(Effect.result(store.open(start(run))))
      if (Result.isFailure(opened)) {
        message = opened.failure.message
        continue
      }
      for (const name of ["a", "b", "c"]) {
        const exit = await Effect.runPromiseExit(
          opened.success.journal.step(name, Effect.succeed("again")),
        )
        if (Exit.isFailure(exit)) message = String(exit.cause)
        else assert.notStrictEqual(exit.value, "again")
      }
    }
    assert.match(message, /damaged or not a store of runs/)
  })

  it("another program's lock is waited for, then reported after `lockTimeout`", async () => {
    const path = await filled()
    const store = storeAt(path, { lockTimeout: 300 })
    const other = await holding(path)
    const failed = await Effect.runPromise(Effect.flip(store.open(start("b"))))
    assert.strictEqual(failed.reason, "locked")
    assert.match(
      failed.message,
      /another program holds .*runs\.db locked; close it, then try again/,
    )
    // Readers are not blocked.
    assert.strictEqual((await Effect.runPromise(store.steps("r"))).length, 1)
    await other.release()
    const patient = storeAt(path)
    const { close, journal } = await Effect.runPromise(patient.open(start("b")))
    const again = await holding(path)
    const waiting = Effect.runPromise(journal.step("s", Effect.succeed(5)))
    await again.release()
    assert.strictEqual(await waiting, 5)
    await Effect.runPromise(close)
    assert.strictEqual((await Effect.runPromise(patient.steps("b"))).length, 1)
  })

  it("a file that another process is creating is opened when its lock ends", async () => {
    const path = newFile()
    const other = await holding(path)
    const opened = Effect.runPromise(
      Effect.scoped(Effect.flatMap(openStore(path), (store) => store.list())),
    )
    await other.release()
    assert.deepStrictEqual(await opened, [])
    const later = newFile()
    const held = await holding(later)
    const refused = Effect.flip(Effect.scoped(openStore(later, { lockTimeout: 300 })))
    assert.strictEqual((await Effect.runPromise(refused)).reason, "locked")
    await held.release()
  })

  it("a newer schema is refused and the file stays unchanged", async () => {
    const path = await filled()
    const future = new DatabaseSync(path)
    future.exec("UPDATE planloom_schema SET version = 99")
    future.close()
    const { message, reason } = refusal(path)
    assert.strictEqual(reason, "newer")
    assert.match(
      message,
      /written by a newer version of planloom; it was not changed\. Update planloom/,
    )
    const present = new DatabaseSync(path)
    present.exec(`UPDATE planloom_schema SET version = ${migrations.length}`)
    present.close()
    assert.strictEqual((await Effect.runPromise(storeAt(path).steps("r"))).length, 1)
  })
})
