/** Erased and pruned data leaves no byte in any file of the store. */
import { readdirSync, readFileSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as fc from "fast-check"
import { userDigest, type RecordedRun, type RunStore } from "@planloom/plugin/effect"
import { cases } from "../../../../.config/cases.ts"
import { newFile, storeAt } from "./store.ts"

const digestOf = (id: string) => userDigest({ id })!

/** A text that is found nowhere else, of a size that fills a cell, a page or many pages. */
const canary = (owner: string, place: string, size: number) =>
  `CANARY-${owner}-${place}-`.concat(`${owner}${place}`.repeat(Math.ceil(size / 8)))

const places = ["input", "step", "wait", "answer", "event", "definition"] as const

const recorded = (run: string, owner: string, size: number): RecordedRun => {
  const [input, step, wait, answer, event, definition] = places.map((place) =>
    canary(owner, place, size),
  ) as [string, string, string, string, string, string]
  return {
    run,
    workflow: "w",
    status: "succeeded",
    inputs: { message: input },
    startedAt: 1,
    finishedAt: 2,
    userDigest: digestOf(owner),
    definition: { text: definition },
    steps: [{ name: "one", at: 1, outcome: { ok: true, value: step } }],
    timers: {},
    waits: [
      {
        askedAt: 1,
        wait: { name: "q", kind: "signal", path: "p", message: wait, schema: true },
        answer: { value: answer, by: owner, at: 2 },
      },
    ],
    events: [
      { type: "RunStarted", seq: 0, at: 1, run, workflow: "w", inputs: { message: input } },
      { type: "Noted", seq: 1, at: 1, path: "", stage: "", note: "n", text: event } as never,
    ],
  }
}

/** Canaries that are found in the raw bytes of the store's files, with packed bodies unpacked by the store itself. */
const found = (path: string, owner: string): ReadonlyArray<string> =>
  readdirSync(dirname(path))
    .filter((name) => name.startsWith(basename(path)))
    .flatMap((name) => {
      const bytes = readFileSync(join(dirname(path), name)).toString("latin1")
      return places
        .filter((place) => bytes.includes(`CANARY-${owner}-${place}`))
        .map((place) => `${name}: ${place}`)
    })

/** Two users whose runs are written in turns, so that they share pages, with more writes between them. */
const filled = Effect.fnUntraced(function* (sizes: ReadonlyArray<number>) {
  const path = newFile()
  const store = storeAt(path)
  for (const [index, size] of sizes.entries()) {
    yield* store.write(recorded(`ann-${index}`, "ann", size))
    yield* store.write(recorded(`bob-${index}`, "bob", size))
    const kept = store.collection!("kept")
    yield* kept.put("one", { text: canary("ann", "input", size) })
    yield* kept.put("one", { text: "another" })
  }
  return { path, store }
})

const runsOf = (store: RunStore) => Effect.map(store.list(), (runs) => runs.map(({ run }) => run))

const sizes = fc.array(fc.constantFrom(10, 300, 3000, 9000, 40_000), { minLength: 1, maxLength: 6 })

describe("the runs of a user", () => {
  it("leave no byte in the file, its log or its index once they are erased", () =>
    fc.assert(
      fc.asyncProperty(sizes, fc.boolean(), (given, isShared) =>
        Effect.runPromise(
          Effect.gen(function* () {
            const { path, store } = yield* filled(given)
            const other = isShared ? storeAt(path) : undefined
            if (other !== undefined) yield* other.list()
            assert.isNotEmpty(found(path, "ann"))
            const { active, runs } = yield* store.eraseRuns!(digestOf("ann"))
            assert.deepStrictEqual([runs.length, active], [given.length, []])
            assert.deepStrictEqual(found(path, "ann"), [])
            assert.isNotEmpty(found(path, "bob"))
            const { inputs } = yield* store.read("bob-0")
            assert.deepStrictEqual(inputs, { message: canary("bob", "input", given[0]!) })
            assert.lengthOf(yield* runsOf(other ?? store), given.length)
            assert.deepStrictEqual((yield* store.eraseRuns!(digestOf("ann"))).runs, [])
          }),
        ),
      ),
      { numRuns: cases(12) },
    ))

  it("leave no byte once they are pruned", () =>
    fc.assert(
      fc.asyncProperty(sizes, (given) =>
        Effect.runPromise(
          Effect.gen(function* () {
            const { path, store } = yield* filled(given)
            yield* store.prune({ before: 10 })
            assert.deepStrictEqual([found(path, "ann"), found(path, "bob")], [[], []])
          }),
        ),
      ),
      { numRuns: cases(8) },
    ))

  it.live("stay while a process works on them, and are named", () =>
    Effect.gen(function* () {
      const store = storeAt(newFile())
      yield* store.open({ run: "r", workflow: "w", inputs: {}, userDigest: digestOf("ann") })
      yield* store.write(recorded("done", "ann", 10))
      assert.deepStrictEqual(yield* store.eraseRuns!(digestOf("ann")), {
        runs: ["done"],
        active: ["r"],
      })
      assert.deepStrictEqual(yield* runsOf(store), ["r"])
    }),
  )
})
