/** Casts domain values to the contract's JSON type. */
import type { Json } from "@planloom/plugin"

/** Planning's values are JSON by construction; interfaces only lack the index signature that says so. */
export const asJson = (value: object): Json => value as Json
