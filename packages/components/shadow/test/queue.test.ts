/** Which replies of a run become items of the review queue. */
import { assert, describe, it } from "@effect/vitest"
import { run } from "@planloom/core"
import * as Effect from "effect/Effect"
import { REVIEWS, ReviewQueue } from "../src/queue/index.ts"
import { isSampled } from "../src/review/sampling.ts"
import { finding } from "./probe.ts"
import { asking, loaded, source } from "./workflow.ts"

const SHARE = 0.3

/** Tests of a file run at the same time with one queue: each case has runs of its own. */
const runsOf = (name: string): ReadonlyArray<string> =>
  Array.from({ length: 20 }, (_, index) => `${name}-${index}`)

const runWith = (shadow: string, ids: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const pass = asking("passes", { review: () => Effect.succeed(finding("pass")) })
    const { pipeline } = yield* loaded(source(`shadow: ${shadow}`), "All is well.", [pass])
    for (const id of ids) yield* run(pipeline, {}, { run: id })
  })

/** Runs of a case that have an item in the queue of this process; the items are removed. */
const queuedOf = (name: string) =>
  Effect.gen(function* () {
    const found: Array<string> = []
    const reader = asking("reader", {
      review: (_, { collection }) =>
        Effect.gen(function* () {
          for (const { id, item } of yield* new ReviewQueue(collection(REVIEWS)).list()) {
            if (!item.run.startsWith(`${name}-`)) continue
            found.push(item.run)
            yield* collection(REVIEWS).remove(id)
          }
          return finding("pass")
        }).pipe(Effect.orDie),
    })
    const { pipeline } = yield* loaded(source("shadow: { gate: [reader] }"), "All is well.", [
      reader,
    ])
    yield* run(pipeline, {}, { run: `reader of ${name}` })
    return found.toSorted()
  })

describe("`queue_sample` of passed replies", () => {
  it.effect.each([
    ["{ gate: [passes] }", 0, "none"],
    ["{ gate: [passes], queue_sample: 0% }", 0, "zero"],
    ["{ gate: [passes], queue_sample: 30% }", SHARE, "gate"],
    ["{ async: [passes], queue_sample: 30% }", SHARE, "async"],
    ["{ gate: [passes], queue_sample: 100% }", 1, "all"],
  ] as const)(
    "of %s adds the share %d to the queue, the same replies each time",
    ([shadow, share, name]) =>
      Effect.gen(function* () {
        const runs = runsOf(name)
        const expected = runs.filter((id) => isSampled("queue", `${id}/reply`, share)).toSorted()
        yield* runWith(shadow, runs)
        assert.deepStrictEqual(yield* queuedOf(name), expected)
        yield* runWith(shadow, runs)
        assert.deepStrictEqual(yield* queuedOf(name), expected)
      }),
  )

  it("is independent of the sample of later reviews and near its share", () => {
    const many = Array.from({ length: 1000 }, (_, index) => `run-${index}`)
    const both = many.filter(
      (id) => isSampled("queue", id, SHARE) && isSampled("sample", id, SHARE),
    ).length
    const one = many.filter((id) => isSampled("queue", id, SHARE)).length
    assert.isTrue(one > 250 && one < 350, `${one} of 1000`)
    assert.isTrue(both > 50 && both < 130, `${both} of 1000`)
  })
})

describe("a reply that no model was there to judge", () => {
  it.effect.each([
    ["alone", { unjudged: true }, []],
    ["beside a flag", {}, ["beside a flag-0"]],
  ] as ReadonlyArray<readonly [string, object, Array<string>]>)(
    "is an item only where something else was found: %s",
    ([name, more, expected]) =>
      Effect.gen(function* () {
        const unjudged = { ...finding("flag"), unjudged: true } as const
        const judges = [
          asking("absent", { review: () => Effect.succeed(unjudged) }),
          asking("other", { review: () => Effect.succeed({ ...finding("flag"), ...more }) }),
        ]
        const { pipeline } = yield* loaded(
          source("shadow: { gate: [absent, other] }"),
          "All is well.",
          judges,
        )
        yield* run(pipeline, {}, { run: `${name}-0` })
        assert.deepStrictEqual(yield* queuedOf(name), expected)
      }),
  )
})
