/** Variants of units: the published vectors of the hash, shares, independence, and units that a run does not have. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type { Collection, Entry, Json, SectionContext } from "@planloom/plugin/effect"
import { assignVariant, hashedVariant } from "./assignVariant.ts"
import { unitNumber } from "./unitNumber.ts"

describe("unitNumber", () => {
  // From `cases.json` of GrowthBook's SDKs, version 2 of the hash.
  it.each([
    ["seed", "a", 505],
    ["seed", "b", 2696],
    ["foo", "ab", 2575],
    ["foo", "def", 2019],
    ["89123klj", "8952klfjas09ujkasdf", 1240],
    ["90850943850283058242805", "123", 7516],
    ["()**(%$##$%#$#", '___)((*":&', 128],
  ] as const)("of the salt %j and the unit %j is GrowthBook's", (salt, unit, expected) => {
    assert.strictEqual(unitNumber(salt, unit), expected)
  })
})

const units = Array.from({ length: 20_000 }, (_, index) => `user-${index}`)

const shareOf = (variant: string, of: (unit: string) => string, among = units): number =>
  among.filter((unit) => of(unit) === variant).length / among.length

describe("hashedVariant", () => {
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
