/** What a resume may bring: the personal inputs of the run, with the values that it was started with. */
import { readFileSync } from "node:fs"
import { isDeepStrictEqual } from "node:util"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Queue } from "effect"
import * as fc from "fast-check"
import { InputsRejected, run } from "@planloom/core"
import { Personal } from "@planloom/core/internal"
import { userDigest, type Json, type JsonObject, type RunStore } from "@planloom/plugin/effect"
import { answer, cancel, resume } from "@planloom/record"
import { replay } from "@planloom/record/replay"
import { worker } from "@planloom/record/worker"
import { handler } from "@planloom/server"
import { cases } from "../../../../.config/cases.ts"
import { payment, type Declared } from "./payment.ts"
import { newFile, storeAt } from "./store.ts"

const declared: Declared = {
  to: { type: "string", personal: true },
  amount: { type: "integer", personal: true },
  note: { type: "string", default: "rent" },
}
const started = { to: "ann", amount: 10, note: "rent" }
const personal = { to: "ann", amount: 10 }

/** Everything that the store has of the run. */
const stateOf = (store: RunStore) =>
  Effect.all([store.read("r"), store.show("r"), store.personalDigests("r")])

const unchanged = Effect.fnUntraced(function* (
  store: RunStore,
  work: Effect.Effect<unknown, unknown>,
) {
  const before = yield* stateOf(store)
  const failure = yield* Effect.flip(work)
  assert.instanceOf(failure, InputsRejected)
  assert.deepStrictEqual(yield* stateOf(store), before)
  return failure as InputsRejected
})

const waiting = Effect.fnUntraced(function* () {
  const path = newFile()
  const store = storeAt(path)
  const workflow = yield* payment(declared, true)
  const { status } = yield* run(workflow.pipeline, started, { store, run: "r", user: ann })
  assert.strictEqual(status, "suspended")
  return { ...workflow, path, store }
})

const ann = { id: "user-4711" }

describe("the inputs of a resumed run", () => {
  const refused: ReadonlyArray<readonly [what: string, inputs: JsonObject, names: string]> = [
    ["another personal value", { ...personal, to: "mallory" }, "/to"],
    ["two other personal values", { to: "mallory", amount: 99_999 }, "/to /amount"],
    ["an input that is recorded", { ...personal, note: "gift" }, "/note"],
    ["a recorded input with its value", { ...personal, note: "rent" }, "/note"],
    ["an unknown input", { ...personal, nope: 1 }, "/nope"],
    [
      "an input with the name of a member of objects",
      { ...personal, constructor: 1 },
      "/constructor",
    ],
    ["a personal input of another type", { ...personal, amount: "10" }, "/amount"],
  ]
  it.live.each(refused)("are kept: %s is refused, and nothing changes", ([, inputs, names]) =>
    Effect.gen(function* () {
      const { pipeline, seen, store } = yield* waiting()
      const options = { store, user: ann, inputs }
      const doors: ReadonlyArray<Effect.Effect<unknown, unknown>> = [
        resume(pipeline, "r", options),
        answer(pipeline, "r", { value: true }, options),
        cancel(pipeline, "r", { mode: "now", reason: "" }, options),
      ]
      for (const door of doors) {
        const { issues } = yield* unchanged(store, door)
        assert.strictEqual(issues.map(({ path }) => path).join(" "), names)
      }
      const result = yield* answer(pipeline, "r", { value: true }, { ...options, inputs: personal })
      assert.strictEqual(result?.status, "succeeded", result?.failure?.message)
      assert.deepStrictEqual(seen, [started, started])
    }),
  )

  it.live("are those of a run with the same id", () =>
    Effect.gen(function* () {
      const { pipeline, store } = yield* waiting()
      const options = { store, run: "r", user: ann }
      for (const other of [{ note: "gift" }, { to: "mallory" }]) {
        const again = run(pipeline, { ...started, ...other }, options)
        assert.include((yield* unchanged(store, again)).message, "keeps the inputs")
      }
      assert.strictEqual((yield* run(pipeline, started, options)).status, "suspended")
      yield* answer(pipeline, "r", { value: true }, { ...options, inputs: personal })
      yield* unchanged(store, run(pipeline, { ...started, note: "gift" }, options))
      assert.strictEqual((yield* run(pipeline, started, options)).status, "succeeded")
    }),
  )

  it.live("are those of the process that recorded the run, of two that start it at once", () =>
    Effect.gen(function* () {
      const store = storeAt(newFile())
      const { pipeline, seen } = yield* payment({ note: { type: "string" } })
      let hidden = true
      // The other process records the run after this one has looked for it.
      const late: RunStore = Object.create(store, {
        show: {
          value: (id: string) => {
            if (!hidden) return store.show(id)
            hidden = false
            return Effect.as(run(pipeline, { note: "theirs" }, { store, run: id }), undefined)
          },
        },
      })
      const ours = run(pipeline, { note: "ours" }, { store: late, run: "r" })
      assert.instanceOf(yield* Effect.flip(ours), InputsRejected)
      assert.deepStrictEqual(seen, [{ note: "theirs" }])
      assert.strictEqual((yield* store.show("r"))?.epoch, 1)
    }),
  )

  it.live("have digests in the record that show neither the values nor equal values", () =>
    Effect.gen(function* () {
      const { path, store } = yield* waiting()
      const digests = yield* store.personalDigests("r")
      assert.deepStrictEqual(Object.keys(digests!), ["to", "amount"])
      const two = { a: { type: "string", personal: true }, b: { type: "string", personal: true } }
      const { pipeline } = yield* payment(two)
      yield* run(pipeline, { a: "same", b: "same" }, { store, run: "two" })
      const { a, b } = (yield* store.personalDigests("two"))!
      assert.notStrictEqual(a, b)
      assert.notInclude(
        readFileSync(path, "latin1") + readFileSync(`${path}-wal`, "latin1"),
        "same",
      )
    }),
  )

  it.live("stay those of the start in a copy of the record, and after a reset", () =>
    Effect.gen(function* () {
      const { pipeline, seen, store } = yield* waiting()
      const copy = storeAt(newFile())
      yield* copy.write(yield* store.read("r"))
      const event = { type: "RunReset", from: "ok", again: ["ok"], since: 0 } as const
      yield* copy.reset("r", { drops: (name) => name.startsWith("ok"), event })
      const other = resume(pipeline, "r", {
        store: copy,
        user: ann,
        inputs: { ...personal, to: "x" },
      })
      yield* unchanged(copy, other)
      yield* resume(pipeline, "r", { store: copy, user: ann, inputs: personal })
      yield* answer(pipeline, "r", { value: true }, { store: copy, user: ann, inputs: personal })
      assert.deepStrictEqual(seen.at(-1), started)
    }),
  )

  it.live("cannot be given again once their digests are erased with the user", () =>
    Effect.gen(function* () {
      const { path, pipeline, store } = yield* waiting()
      assert.deepStrictEqual(yield* store.erasePersonal(userDigest(ann)!), ["r"])
      const again = resume(pipeline, "r", { store, user: ann, inputs: personal })
      assert.include((yield* unchanged(store, again)).message, "was erased")
      assert.deepStrictEqual(yield* storeAt(path).personalDigests("r"), { to: null, amount: null })
    }),
  )

  it.live("are compared by a replay, and so is the log with the record", () =>
    Effect.gen(function* () {
      const { pipeline, store } = yield* waiting()
      yield* answer(pipeline, "r", { value: true }, { store, user: ann, inputs: personal })
      const recorded = yield* store.read("r")
      const same = yield* replay(pipeline, recorded, { user: ann, inputs: personal })
      assert.deepStrictEqual([same.same, same.differentInputs], [true, []])
      const other = yield* replay(pipeline, recorded, {
        user: ann,
        inputs: { ...personal, to: "x" },
      })
      assert.deepStrictEqual([other.same, other.differentInputs], [false, ["to"]])
      const forged = { ...recorded, inputs: { ...(recorded.inputs as JsonObject), note: "gift" } }
      const differing = yield* replay(pipeline, forged, { user: ann, inputs: personal })
      assert.deepStrictEqual([differing.same, differing.differentInputs], [false, ["note"]])
    }),
  )

  it.live("are resumed by somebody, whom the record names", () =>
    Effect.gen(function* () {
      const { pipeline, store } = yield* waiting()
      const options = { store, user: ann, inputs: personal }
      yield* resume(pipeline, "r", { ...options, by: "bob" })
      yield* answer(pipeline, "r", { value: true, by: "carol" }, options)
      const events = yield* store.events("r")
      assert.deepStrictEqual(
        events.flatMap((event) => (event.type === "RunResumed" ? [event.by] : [])),
        ["bob", "carol"],
      )
    }),
  )
})

/** Values whose texts overlap each other and the placeholders of other inputs. */
const anyValue = fc.oneof(
  fc.constantFrom(
    "ann",
    "annann",
    "[personal:to]",
    "x [personal:note] y",
    "",
    "[personal:",
    "personal",
    "amount",
    "sonal:to]",
    "10",
  ),
  fc.string({ maxLength: 6 }),
  fc.integer({ min: -3, max: 1000 }),
  fc.array(fc.constantFrom("ann", "bob"), { maxLength: 2 }),
  fc.record({ type: fc.constantFrom("ann", "card"), seq: fc.integer() }),
  fc.constant(null),
)

const names = ["to", "amount", "note", "type", "seq"]

const anyInputs = fc
  .uniqueArray(
    fc.record({
      name: fc.constantFrom(...names),
      hidden: fc.boolean(),
      default: fc.option(anyValue),
      value: fc.option(anyValue),
    }),
    { selector: ({ name }) => name, minLength: 1 },
  )
  .map((inputs) => {
    const given = inputs.flatMap(({ default: fallback, name, value }) =>
      value === null && fallback !== null ? [] : [[name, value] as const],
    )
    const schemas = inputs.map(
      ({ default: fallback, hidden, name }) =>
        [
          name,
          {
            ...(hidden ? { personal: true } : {}),
            ...(fallback === null ? {} : { default: fallback as Json }),
          },
        ] as const,
    )
    return {
      schemas: Object.fromEntries(schemas) as Declared,
      given: Object.fromEntries(given) as JsonObject,
    }
  })

const anyAttempt = fc.record({
  door: fc.constantFrom("http", "resume", "answer", "run"),
  /** By name: another value, or the one that the run was started with, or none. */
  inputs: fc.dictionary(
    fc.constantFrom(...names, "nope", "constructor"),
    fc.oneof(fc.constant("same" as const), fc.record({ other: anyValue })),
    { maxKeys: 4 },
  ),
  /** Brings all personal inputs too. */
  complete: fc.boolean(),
})

type Attempt = typeof anyAttempt extends fc.Arbitrary<infer A> ? A : never

/** Tries the attempts on a run that waits, then lets a server finish it. */
const holds = (
  { given, schemas }: { readonly schemas: Declared; readonly given: JsonObject },
  attempts: ReadonlyArray<Attempt>,
  isServed: boolean,
) =>
  Effect.gen(function* () {
    const store = storeAt(newFile())
    const { loaded, pipeline, seen } = yield* payment(schemas)
    const start = { ...pipeline.inputs.defaults, ...given }
    const ends = yield* Queue.unbounded<string>()
    const running = yield* worker(store, {
      every: 60_000,
      load: () => Effect.succeed(loaded),
      onEnd: ({ exit }) =>
        Queue.offerUnsafe(ends, exit._tag === "Success" ? exit.value.status : exit._tag),
    })
    const workflows = new Map([["payment", { ...loaded, definition: null }]])
    const handle = handler({ store, worker: running, workflows })
    const post = (path: string, body: object) =>
      Effect.promise(async () => {
        const headers = { "content-type": "application/json", "idempotency-key": "r" }
        const request = { method: "POST", body: JSON.stringify(body), headers }
        const { status } = await handle(new Request(`http://localhost${path}`, request))
        return status
      })
    if (isServed) {
      assert.strictEqual(yield* post("/workflows/payment/runs", { inputs: given }), 202)
      assert.strictEqual(yield* Queue.take(ends), "suspended")
    } else {
      assert.strictEqual((yield* run(pipeline, given, { store, run: "r" })).status, "suspended")
    }
    const atStart = seen[0]
    const effectOf = (inputs: JsonObject) => {
      const all = { ...pipeline.inputs.defaults, ...inputs }
      return new Personal(schemas, all, {}).reveal(all)
    }
    assert.deepStrictEqual(atStart, effectOf(given))
    const isSame = (name: string, value: Json) =>
      Object.hasOwn(start, name) && isDeepStrictEqual(value, start[name])
    const personalOnes = Object.keys(start).filter((name) => schemas[name]!["personal"] === true)
    const again = Object.fromEntries(personalOnes.map((name) => [name, start[name]!]))
    for (const { complete, door, inputs: brought } of attempts) {
      const inputs: { [name: string]: Json } = complete ? { ...again } : {}
      for (const [name, what] of Object.entries(brought)) {
        const same = Object.hasOwn(start, name) ? start[name]! : 1
        inputs[name] = what === "same" ? same : (what.other as Json)
      }
      const isAllowed = Object.keys(inputs).every(
        (name) => personalOnes.includes(name) && isSame(name, inputs[name]!),
      )
      const before = yield* stateOf(store)
      if (door === "http") {
        assert.strictEqual(yield* post("/runs/r/resume", { inputs }), isAllowed ? 202 : 422)
        assert.deepStrictEqual(yield* stateOf(store), before)
        continue
      }
      // An allowed answer would end the run before the other attempts.
      if (door === "answer" && isAllowed) continue
      const work: Effect.Effect<unknown, unknown> =
        door === "run"
          ? run(pipeline, inputs, { store, run: "r" })
          : door === "resume"
            ? resume(pipeline, "r", { store, inputs })
            : answer(pipeline, "r", { value: true }, { store, inputs })
      const exit = yield* Effect.exit(work)
      const isAccepted = exit._tag === "Success"
      if (door === "answer") assert.isFalse(isAccepted)
      if (door === "resume") {
        const isComplete = personalOnes.every((name) => Object.hasOwn(inputs, name))
        assert.strictEqual(isAccepted, isAllowed && isComplete)
      }
      if (door === "run") {
        const all = { ...pipeline.inputs.defaults, ...inputs }
        if (isAccepted) assert.deepStrictEqual(effectOf(inputs), atStart)
        if (isDeepStrictEqual(all, start)) assert.isTrue(isAccepted)
      }
      if (!isAccepted) assert.deepStrictEqual(yield* stateOf(store), before)
    }
    assert.strictEqual(yield* post("/runs/r/resume", { inputs: again }), 202)
    assert.strictEqual(yield* post("/runs/r/answers/ok", { value: true }), 200)
    assert.strictEqual(yield* Queue.take(ends), "succeeded")
    assert.deepStrictEqual(seen, [atStart, atStart])
  })

describe("whatever a sequence of resumes brings", { timeout: 300_000 }, () => {
  // oxlint-disable-next-line vitest/expect-expect -- `holds` asserts
  it("the run keeps the inputs that it was started with, or the resume is refused and nothing changes", () =>
    fc.assert(
      fc.asyncProperty(
        anyInputs,
        fc.array(anyAttempt, { maxLength: 4 }),
        fc.boolean(),
        (inputs, attempts, isServed) =>
          Effect.runPromise(Effect.scoped(holds(inputs, attempts, isServed))),
      ),
      {
        numRuns: cases(12),
        // A value that equals its own placeholder.
        examples: [
          [{ schemas: { to: { personal: true } }, given: { to: "[personal:to]" } }, [], true],
        ],
      },
    ))
})
