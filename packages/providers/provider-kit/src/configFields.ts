/** Schemas of fields that the configs of providers share. */
import * as Schema from "effect/Schema"
import { durationPattern } from "@planloom/plugin/duration"
import { baseUrlProblem } from "./http/baseUrlProblem.ts"

/** The base URL of a service. */
export const address = Schema.String.check(Schema.makeFilter(baseUrlProblem))

/** A duration such as `90s`. */
export const duration = Schema.String.check(
  Schema.isPattern(new RegExp(durationPattern), { expected: "a duration such as 90s" }),
)

/** A whole number from 1. */
export const count = Schema.Int.check(Schema.isGreaterThan(0))
