/** A full disk: a small file system, filled by the store and by other files. */
import { spawnSync } from "node:child_process"
import { rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit } from "effect"
import type { Json, RunStore } from "@planloom/plugin/effect"
import { afterAll } from "vitest"
import { run } from "@planloom/core"
import { resume } from "@planloom/record"
import { openStore } from "../src/index.ts"
import { newFolder, start } from "./store.ts"
import { workflowIn } from "./workflow.ts"

const mount = (...args: ReadonlyArray<string>) => spawnSync("mount", args, { encoding: "utf8" })

const mounted: Array<string> = []

afterAll(() => {
  for (const folder of mounted) spawnSync("umount", [folder])
})

/** A disk of one megabyte, or why it cannot be mounted. */
const disk = () => {
  const folder = newFolder()
  const { error, status, stderr } = mount("-t", "tmpfs", "-o", "size=1m", "tmpfs", folder)
  if (status !== 0) return { why: `no file system to fill: ${error?.message ?? stderr.trim()}` }
  mounted.push(folder)
  return { path: join(folder, "runs.db"), filler: join(folder, "filler"), folder }
}

/** Fills the remaining space. */
const fill = (file: string) => {
  let size = 1024 * 1024
  while (size >= 512) {
    try {
      writeFileSync(file, Buffer.alloc(size), { flag: "a" })
    } catch {
      size /= 2
    }
  }
}

const using = <A>(path: string, use: (store: RunStore) => Effect.Effect<A, unknown, never>) =>
  Effect.runPromiseExit(Effect.scoped(Effect.flatMap(openStore(path), use)))

const read = async (path: string): Promise<number> => {
  const exit = await using(path, (store) => store.steps("r"))
  if (Exit.isFailure(exit)) throw new Error(String(exit.cause))
  return exit.value.length
}

const says = /no space left to record in .*runs\.db; what it holds is safe\. Free some space/

describe("the SQLite store on a full disk", () => {
  it("fails the step that does not fit, still reads stored data, and records again once there is space", async (context) => {
    const { filler, path, why } = disk()
    if (path === undefined) return context.skip(why)
    writeFileSync(filler, Buffer.alloc(200 * 1024))
    let stored = 0
    const exit = await using(path, (store) =>
      Effect.gen(function* () {
        const { journal } = yield* store.open(start("r"))
        const record = (name: string) =>
          journal.step(name, Effect.succeed("x".repeat(5000) as Json))
        for (; stored < 1000; stored++) yield* record(`s${stored}`)
      }),
    )
    assert.match(String(Exit.isFailure(exit) && exit.cause), says)
    assert.isAbove(stored, 20)
    assert.strictEqual(await read(path), stored)
    const large = { text: "x".repeat(100_000) }
    const refused = await using(path, (store) => store.open(start("another", { inputs: large })))
    assert.match(String(Exit.isFailure(refused) && refused.cause), says)
    rmSync(filler)
    const more = await using(path, (store) =>
      Effect.gen(function* () {
        const { close, journal } = yield* store.open(start("r"))
        yield* journal.step("more", Effect.succeed(1))
        yield* close
      }),
    )
    assert.isTrue(Exit.isSuccess(more), String(more))
    assert.strictEqual(await read(path), stored + 1)
  })

  it("reports a disk filled by other files when a new or existing store is opened", async (context) => {
    const { filler, folder, path, why } = disk()
    if (path === undefined) return context.skip(why)
    const made = await using(path, (store) =>
      Effect.gen(function* () {
        const { close, journal } = yield* store.open(start("r"))
        yield* journal.step("a", Effect.succeed(1))
        yield* close
      }),
    )
    assert.isTrue(Exit.isSuccess(made))
    fill(filler)
    for (const file of [path, join(folder, "new.db")]) {
      const refused = await using(file, (store) => store.open(start("r")))
      assert.match(String(Exit.isFailure(refused) && refused.cause), /no space left to record in/)
    }
    rmSync(filler)
    assert.strictEqual(await read(path), 1)
  })

  it("fails a run with class `store`, and the run resumes once there is space", async (context) => {
    const { filler, folder, path, why } = disk()
    if (path === undefined) return context.skip(why)
    const happened: Array<string> = []
    const work = Effect.gen(function* () {
      const { pipeline } = yield* workflowIn(newFolder(), (what) => {
        happened.push(what)
        if (happened.length === 8) fill(filler)
      })
      const list = Array.from({ length: 100 }, (_, index) => index * 28)
      const store = yield* openStore(path)
      const failed = yield* Effect.flip(run(pipeline, { list }, { store, run: "r" }))
      const stored = (yield* store.steps("r")).length
      mount("-o", "remount,size=64m", folder)
      const again = yield* openStore(path)
      const result = yield* resume(pipeline, "r", { store: again })
      return { failed, stored, result, record: yield* again.show("r") }
    })
    const { failed, record, result, stored } = await Effect.runPromise(Effect.scoped(work))
    assert.strictEqual(failed._tag === "RunFailed" ? failed.reason.class : failed._tag, "store")
    assert.match(failed.message, says)
    assert.isAbove(stored, 5)
    assert.strictEqual(result.status, "succeeded")
    assert.strictEqual(record?.status, "succeeded")
    // Only effects whose record did not fit happen twice.
    const own = happened.filter((what) => what.startsWith("own"))
    const repeated = own.length - new Set(own).size
    assert.isAtMost(repeated, 2)
  })
})
