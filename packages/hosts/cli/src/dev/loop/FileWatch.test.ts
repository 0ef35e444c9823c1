import { mkdtempSync, renameSync, rmSync, utimesSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { FileWatch } from "./FileWatch.ts"

const folder = mkdtempSync(join(tmpdir(), "planloom-watch-"))
afterAll(() => rmSync(folder, { recursive: true }))

const file = join(folder, "flow.yaml")

const watching = (hasErrors = false) => {
  writeFileSync(file, "one")
  const watch = new FileWatch()
  watch.watch({ files: [file], hasErrors })
  watch.mark()
  return watch
}

/** The changes that are seen after `change`, within a time on the test's clock. */
const seenAfter = (watch: FileWatch, change: () => void, ms = 200) =>
  Effect.gen(function* () {
    const next = yield* Effect.forkChild(watch.next)
    yield* TestClock.adjust(100)
    change()
    yield* TestClock.adjust(ms)
    return next.pollUnsafe() === undefined
      ? yield* Effect.as(Fiber.interrupt(next), undefined)
      : yield* Fiber.join(next)
  })

describe("a watched file", () => {
  it.effect("is a change when its text is another one", () =>
    Effect.gen(function* () {
      const watch = watching()
      assert.deepStrictEqual(yield* seenAfter(watch, () => writeFileSync(file, "two")), [file])
    }),
  )

  it.effect("is a change when it is saved twice within a tick of the file system's clock", () =>
    Effect.gen(function* () {
      const watch = watching()
      const now = new Date()
      utimesSync(file, now, now)
      const saved = () => {
        writeFileSync(file, "two")
        utimesSync(file, now, now)
      }
      assert.deepStrictEqual(yield* seenAfter(watch, saved), [file])
    }),
  )

  it.effect("is no change when it is saved with the same text", () =>
    Effect.gen(function* () {
      const watch = watching()
      const saved = yield* seenAfter(watch, () => utimesSync(file, new Date(), new Date(0)))
      assert.isUndefined(saved)
    }),
  )

  it.effect("is one change when it was written before the loop began to look", () =>
    Effect.gen(function* () {
      const watch = watching()
      writeFileSync(file, "meanwhile")
      assert.deepStrictEqual(yield* seenAfter(watch, () => {}), [file])
      watch.mark()
      assert.isUndefined(yield* seenAfter(watch, () => {}))
    }),
  )

  it.effect("that an editor replaces is a change once it is there again", () =>
    Effect.gen(function* () {
      const watch = watching()
      const temporary = `${file}.swp`
      writeFileSync(temporary, "replaced")
      const gone = yield* seenAfter(watch, () => rmSync(file))
      assert.isUndefined(gone)
      assert.deepStrictEqual(yield* seenAfter(watch, () => renameSync(temporary, file)), [file])
    }),
  )

  it.effect("that an editor empties is a change once its text is written", () =>
    Effect.gen(function* () {
      const watch = watching()
      assert.isUndefined(yield* seenAfter(watch, () => writeFileSync(file, "")))
      assert.deepStrictEqual(yield* seenAfter(watch, () => writeFileSync(file, "two")), [file])
      watch.mark()
      assert.isUndefined(yield* seenAfter(watch, () => {}))
    }),
  )

  it.effect("that stays empty is a change after half a second", () =>
    Effect.gen(function* () {
      const watch = watching()
      assert.deepStrictEqual(yield* seenAfter(watch, () => writeFileSync(file, ""), 700), [file])
    }),
  )

  it.effect("that stays deleted is a change after half a second", () =>
    Effect.gen(function* () {
      const watch = watching()
      assert.deepStrictEqual(yield* seenAfter(watch, () => rmSync(file), 700), [file])
    }),
  )

  it.effect("of a workflow with errors makes a new file in its folder a change", () =>
    Effect.gen(function* () {
      const add = () => writeFileSync(join(folder, "added.md"), "text")
      assert.isUndefined(yield* seenAfter(watching(), add))
      rmSync(join(folder, "added.md"))
      assert.deepStrictEqual(yield* seenAfter(watching(true), add), [folder])
    }),
  )
})
