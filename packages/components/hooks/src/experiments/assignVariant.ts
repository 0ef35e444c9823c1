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
import { isInPart, rangesOf, rangeWith, unitNumber } from "./unitNumber.ts"

/** The collection that keeps the variants of sticky experiments. */
export const COLLECTION = "experiments"

export const assignVariant = (
  name: string,
  experiment: Experiment,
  context: SectionContext,
): Effect.Effect<Assignment, StageFailed> => {
  const unit = unitOf(experiment)
  const value = unitValue(unit, context)
  if (value === undefined) return Effect.succeed(outside(experiment, unit, "no_unit"))
  const forced = Object.entries(experiment.force ?? {}).find(([, units]) =>
    units.some((one) => String(one) === value),
  )
  if (forced !== undefined) {
    return Effect.succeed({ variant: forced[0], unit, reason: "forced" })
  }
  const hashed = hashedAssignment(name, experiment, value)
  // At 0 % the experiment is switched off, for units that keep a variant, too.
  if (experiment.sticky !== true || shareOf(experiment) === 0) return Effect.succeed(hashed)
  return Effect.mapError(
    kept(name, value, hashed, experiment, context),
    ({ message }) =>
      new StageFailed({
        class: "unavailable",
        message: `the variant of "${name}" cannot be read or kept: ${message}`,
      }),
  )
}

/** With the control, the first variant. */
const outside = (
  { variants }: Pick<Experiment, "variants">,
  unit: ExperimentUnit,
  reason: "no_unit" | "ramp" | "namespace",
): Assignment => ({ variant: Object.keys(variants)[0]!, unit, reason })

const shareOf = ({ ramp = "100%" }: Pick<Experiment, "ramp">): number => Number.parseInt(ramp, 10)

/** The variant in whose share of the numbers the unit's own falls. */
export const hashedAssignment = (
  name: string,
  experiment: Pick<Experiment, "namespace" | "ramp" | "salt" | "unit" | "variants">,
  value: string,
): Assignment => {
  const { namespace, salt = name, variants } = experiment
  const unit = unitOf(experiment)
  if (namespace !== undefined && !isInPart(namespace, value)) {
    return outside(experiment, unit, "namespace")
  }
  const ranges = rangesOf(Object.values(variants), shareOf(experiment))
  const variant = Object.keys(variants)[rangeWith(unitNumber(salt, value), ranges)]
  return variant === undefined
    ? outside(experiment, unit, "ramp")
    : { variant, unit, reason: "hash" }
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

/** The beginning of the keys of a unit, without the unit itself, which may be personal. */
export const keysOf = (unit: ExperimentUnit, value: string): string =>
  `${unit}/${hash("sha256", `planloom:experiment:${value}`)}/`

/** The variant of the unit's first run in the experiment, unless the experiment has it no longer. */
const kept = (
  name: string,
  value: string,
  hashed: Assignment,
  { variants }: Experiment,
  context: SectionContext,
): Effect.Effect<Assignment, StoreFailed> => {
  const entries = context.collection(COLLECTION)
  const key = `${keysOf(hashed.unit, value)}${name}`
  const user = unitValue("user", context)
  // Leads from the user to the entry of a session, so that both can be erased with the user.
  const lead =
    hashed.unit === "session" && user !== undefined ? `${keysOf("user", user)}${key}` : undefined
  const isVariant = (given: unknown): given is string =>
    typeof given === "string" && Object.hasOwn(variants, given)
  const put = (version: number | "new") =>
    Effect.map(
      entries.put(key, hashed.variant, { version }),
      // Another run of the unit may have been first.
      ({ entry: written, ok }): Assignment =>
        !ok && isVariant(written?.value)
          ? { ...hashed, variant: written.value, reason: "kept" }
          : hashed,
    )
  return Effect.flatMap(entries.get(key), (entry) => {
    if (isVariant(entry?.value)) {
      return Effect.succeed<Assignment>({ ...hashed, variant: entry.value, reason: "kept" })
    }
    if (hashed.reason !== "hash") return Effect.succeed(hashed)
    const written = put(entry?.version ?? "new")
    return lead === undefined ? written : Effect.andThen(entries.put(lead, hashed.variant), written)
  })
}
