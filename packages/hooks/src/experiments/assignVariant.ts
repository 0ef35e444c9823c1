/** Assigns the variant of an experiment to a run. */
import { hash } from "node:crypto"
import * as Effect from "effect/Effect"
import {
  StageFailed,
  type Assignment,
  type ExperimentUnit,
  type SectionContext,
  type StoreFailed,
} from "@planloom/plugin/effect"
import { unitOf, type Experiment } from "./Experiment.ts"
import { UNIT_NUMBERS, unitNumber } from "./unitNumber.ts"

/** The collection that keeps the variants of sticky experiments. */
export const COLLECTION = "experiments"

export const assignVariant = (
  name: string,
  experiment: Experiment,
  context: SectionContext,
): Effect.Effect<Assignment, StageFailed> => {
  const unit = unitOf(experiment)
  const value = unitValue(unit, context)
  if (value === undefined) {
    const variant = Object.keys(experiment.variants)[0]!
    return Effect.succeed({ variant, unit, reason: "no_unit" })
  }
  const hashed = hashedVariant(name, experiment, value)
  return experiment.sticky === true
    ? Effect.mapError(
        kept(keyOf(name, unit, value), hashed, experiment, unit, context),
        ({ message }) =>
          new StageFailed({
            class: "unavailable",
            message: `the variant of "${name}" cannot be read or kept: ${message}`,
          }),
      )
    : Effect.succeed({ variant: hashed, unit, reason: "hash" })
}

/** The variant in whose share of the numbers the unit's own falls. */
export const hashedVariant = (
  name: string,
  { salt = name, variants }: Pick<Experiment, "salt" | "variants">,
  unit: string,
): string => {
  const number = unitNumber(salt, unit)
  let end = 0
  for (const [variant, percentage] of Object.entries(variants)) {
    end += (percentage / 100) * UNIT_NUMBERS
    if (number < end) return variant
  }
  throw new Error(`the percentages of "${name}" do not add up to 100`)
}

const unitValue = (
  unit: ExperimentUnit,
  { run, session, user }: SectionContext,
): string | undefined => {
  const { id } = user
  if (unit === "run") return run
  if (unit === "session") return session?.id
  return (typeof id === "string" && id !== "") || typeof id === "number" ? String(id) : undefined
}

/** Without the unit itself, which may be personal. */
const keyOf = (name: string, unit: ExperimentUnit, value: string): string =>
  `${name}/${unit}/${hash("sha256", `planloom:experiment:${value}`)}`

/** The variant of the unit's first run, unless the experiment has it no longer. */
const kept = (
  key: string,
  hashed: string,
  { variants }: Experiment,
  unit: ExperimentUnit,
  { collection }: SectionContext,
): Effect.Effect<Assignment, StoreFailed> => {
  const entries = collection(COLLECTION)
  const isVariant = (value: unknown): value is string =>
    typeof value === "string" && Object.hasOwn(variants, value)
  return Effect.flatMap(entries.get(key), (entry) =>
    isVariant(entry?.value)
      ? Effect.succeed<Assignment>({ variant: entry.value, unit, reason: "kept" })
      : Effect.map(
          entries.put(key, hashed, { version: entry?.version ?? "new" }),
          // Another run of the unit may have been first.
          ({ entry: written, ok }): Assignment =>
            !ok && isVariant(written?.value)
              ? { variant: written.value, unit, reason: "kept" }
              : { variant: hashed, unit, reason: "hash" },
        ),
  )
}
