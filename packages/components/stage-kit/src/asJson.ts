/** Casts domain values to the contract's JSON type. */
import type { Json } from "@planloom/plugin/effect"

/** Planning's values are JSON by construction; their interfaces only lack an index signature. */
export const asJson = (value: object): Json => value as Json
