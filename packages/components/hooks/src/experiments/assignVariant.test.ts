/** Variants of units: shares, independence, and units that a run does not have. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type { Collection, Entry, Json, SectionContext } from "@planloom/plugin/effect"
import { cases } from "../../../../../.config/cases.ts"
import { chiSquareTest } from "../report/statistics.ts"
import { assignVariant, hashedAssignment, keysOf } from "./assignVariant.ts"

const units = Array.from({ length: cases(20_000, 5) }, (_, index) => `user-${index}`)

const shareOf = (variant: string, of: (unit: string) => string, among = units): number =>
  among.filter((unit) => of(unit) === variant).length / among.length

const hashedVariant = (...given: Parameters<typeof hashedAssignment>): string =>
  hashedAssignment(...given).variant

describe("hashedAssignment", () => {
  const tone = (unit: string) => hashedVariant("tone", { variants: { plain: 70, warm: 30 } }, unit)

  it("gives each variant its percentage of the units", () => {
    assert.approximately(shareOf("warm", tone), 0.3, 0.015)
  })

  it("of two experiments is independent, and the same where they share a salt", () => {
    const halves = { variants: { a: 50, b: 50 } }
    const among = units.filter((unit) => tone(unit) === "warm")
    const other = (unit: string) => hashedVariant("length", halves, unit)
    assert.approximately(shareOf("a", other, among), 0.5, 0.03)
    const salted = (name: string) => (unit: string) =>
      hashedVariant(name, { ...halves, salt: "both" }, unit)
    assert.isTrue(units.every((unit) => salted("one")(unit) === salted("two")(unit)))
  })
})

describe("the variants of many units", () => {
  const shares = [34, 33, 33]
  const variantIn = (name: string, unit: string): number =>
    ["a", "b", "c"].indexOf(hashedVariant(name, { variants: { a: 34, b: 33, c: 33 } }, unit))

  it("fall to the variants as declared, and independently of other experiments, by chi-square", () => {
    const names = ["tone", "tone2", "length", "exp-a", "exp-b"]
    const counts = names.map(() => [0, 0, 0])
    const pairs = names.slice(1).map(() => Array.from({ length: 9 }, () => 0))
    for (const unit of units) {
      const own = names.map((name) => variantIn(name, unit))
      for (const [index, variant] of own.entries()) counts[index]![variant]!++
      for (const [index, cells] of pairs.entries()) cells[own[index]! * 3 + own[index + 1]!]!++
    }
    const joint = shares.flatMap((one) => shares.map((other) => one * other))
    for (const [index, name] of names.entries()) {
      assert.isAbove(chiSquareTest(counts[index]!, shares).p, 0.001, name)
    }
    for (const cells of pairs) assert.isAbove(chiSquareTest(cells, joint).p, 0.001)
  })
})

describe("a ramp", () => {
  const variants = { a: 20, b: 50, c: 30 }
  const at = (ramp: string, unit: string) => hashedAssignment("tone", { variants, ramp }, unit)
  const isIn = ({ reason }: { readonly reason: string }) => reason === "hash"

  it("has its share of the units, divided like all of them", () => {
    const among = units.filter((unit) => isIn(at("10%", unit)))
    assert.approximately(among.length / units.length, 0.1, 0.01)
    assert.approximately(
      shareOf("b", (unit) => at("10%", unit).variant, among),
      0.5,
      0.04,
    )
  })

  it("that is raised adds units and moves none", () => {
    for (const unit of units) {
      const [low, high] = [at("10%", unit), at("50%", unit)]
      if (isIn(low) && (!isIn(high) || high.variant !== low.variant)) assert.fail(unit)
      if (!isIn(high) && (high.variant !== "a" || high.reason !== "ramp")) assert.fail(unit)
    }
    assert.isFalse(units.some((unit) => isIn(at("0%", unit))))
    assert.isTrue(units.every((unit) => isIn(at("100%", unit))))
  })
})

describe("a namespace", () => {
  const part = (from: number, to: number) => ({
    variants: { a: 50, b: 50 },
    namespace: { name: "checkout", from, to },
  })

  it("has each unit in one of its experiments", () => {
    let both = 0
    let neither = 0
    for (const unit of units) {
      const one = hashedAssignment("one", part(0, 40), unit).reason === "hash"
      const other = hashedAssignment("other", part(40, 100), unit).reason === "hash"
      if (one && other) both++
      if (!one && !other) neither++
    }
    assert.deepStrictEqual([both, neither], [0, 0])
  })

  it("is independent of the variants in it", () => {
    const one = (unit: string) => hashedAssignment("one", part(0, 40), unit)
    const among = units.filter((unit) => one(unit).reason === "hash")
    assert.approximately(among.length / units.length, 0.4, 0.02)
    assert.approximately(
      shareOf("a", (unit) => one(unit).variant, among),
      0.5,
      0.02,
    )
  })
})

const memory = (): Collection => {
  const entries = new Map<string, Entry>()
  return {
    get: (key) => Effect.succeed(entries.get(key)),
    put: (key: string, value: Json, { version } = {}) =>
      Effect.sync(() => {
        const before = entries.get(key)
        if ((version === "new" ? undefined : version) !== before?.version) {
          return { ok: false, ...(before && { entry: before }) }
        }
        const entry = { key, value, version: (before?.version ?? 0) + 1, at: 0 }
        entries.set(key, entry)
        return { ok: true, entry }
      }),
    remove: () => Effect.void,
    list: () => Effect.succeed([...entries.values()]),
    claim: () => Effect.undefined as never,
  }
}

const contextOf = (more: Partial<SectionContext>): SectionContext => ({
  run: "r1",
  inputs: {},
  user: {},
  collection: memory,
  now: 0,
  ...more,
})

const all = (variant: "old" | "new") => ({
  sticky: true,
  variants: { old: variant === "old" ? 100 : 0, new: variant === "new" ? 100 : 0 },
})

describe("assignVariant", () => {
  it.effect("gives a run without the unit the control", () =>
    Effect.gen(function* () {
      const { variants } = all("new")
      for (const [unit, user] of [
        ["user", {}],
        ["user", { id: "" }],
        ["session", { id: "ada" }],
      ] as const) {
        assert.deepStrictEqual(
          yield* assignVariant("look", { unit, variants }, contextOf({ user })),
          { variant: "old", unit, reason: "no_unit" },
        )
      }
    }),
  )

  it.effect("gives a named unit the variant that names it, whatever its hash", () =>
    Effect.gen(function* () {
      const given = { variants: { old: 100, new: 0 }, force: { new: ["ada", 7] } }
      for (const id of ["ada", 7]) {
        assert.deepStrictEqual(yield* assignVariant("look", given, contextOf({ user: { id } })), {
          variant: "new",
          unit: "user",
          reason: "forced",
        })
      }
    }),
  )

  it.effect("keeps no control of a unit outside the ramp, so that a higher ramp reaches it", () =>
    Effect.gen(function* () {
      const kept = memory()
      const context = contextOf({ user: { id: "ada" }, collection: () => kept })
      const at = (ramp: string) => assignVariant("look", { ...all("new"), ramp }, context)
      assert.strictEqual((yield* at("0%")).reason, "ramp")
      assert.deepStrictEqual(yield* kept.list(), [])
      assert.strictEqual((yield* at("100%")).reason, "hash")
      assert.strictEqual((yield* at("1%")).reason, "kept")
    }),
  )

  it.effect("gives every unit the control at 0 %, and its kept variant again at more", () =>
    Effect.gen(function* () {
      const kept = memory()
      const context = contextOf({ user: { id: "ada" }, collection: () => kept })
      const at = (ramp: string) =>
        assignVariant("look", { variants: { old: 0, new: 100 }, sticky: true, ramp }, context)
      assert.strictEqual((yield* at("100%")).variant, "new")
      assert.deepStrictEqual(yield* at("0%"), { variant: "old", unit: "user", reason: "ramp" })
      assert.deepStrictEqual(yield* at("1%"), { variant: "new", unit: "user", reason: "kept" })
    }),
  )

  it.effect("keeps a sticky variant when the percentages change, and never the unit itself", () =>
    Effect.gen(function* () {
      const kept = memory()
      const context = contextOf({ user: { id: "ada@example.org" }, collection: () => kept })
      const unit = "user"
      assert.deepStrictEqual(yield* assignVariant("look", all("old"), context), {
        variant: "old",
        unit,
        reason: "hash",
      })
      assert.deepStrictEqual(yield* assignVariant("look", all("new"), context), {
        variant: "old",
        unit,
        reason: "kept",
      })
      assert.notInclude(JSON.stringify(yield* kept.list()), "ada")
      const gone = { sticky: true, variants: { new: 60, newer: 40 } }
      const { reason, variant } = yield* assignVariant("look", gone, context)
      assert.strictEqual(reason, "hash")
      assert.deepStrictEqual(yield* assignVariant("look", gone, context), {
        variant,
        unit,
        reason: "kept",
      })
    }),
  )

  it.effect("keeps the variant of a session where its user's entries lead to it", () =>
    Effect.gen(function* () {
      const entries = memory()
      const session = { id: "talk", turn: 1, state: {} }
      const given = { ...all("new"), unit: "session" } as const
      const context = contextOf({ user: { id: "ada" }, session, collection: () => entries })
      for (const reason of ["hash", "kept"] as const) {
        assert.strictEqual((yield* assignVariant("look", given, context)).reason, reason)
      }
      const own = `${keysOf("session", "talk")}look`
      const keys = (yield* entries.list()).map(({ key }) => key)
      assert.sameMembers(keys, [own, `${keysOf("user", "ada")}${own}`])
    }),
  )

  it.effect(
    "takes the variant of the run that was first, if two runs of a unit start together",
    () =>
      Effect.gen(function* () {
        const kept = memory()
        yield* assignVariant(
          "look",
          all("old"),
          contextOf({ user: { id: 7 }, collection: () => kept }),
        )
        // The entry is not there yet when the second run looks.
        const late = { ...kept, get: () => Effect.undefined as never }
        const second = contextOf({ user: { id: 7 }, collection: () => late })
        assert.deepStrictEqual(yield* assignVariant("look", all("new"), second), {
          variant: "old",
          unit: "user",
          reason: "kept",
        })
      }),
  )
})
