/** Samples: shares of runs or replies, chosen by a hash, so that a resumed or replayed run is sampled as before. */
import { hash } from "node:crypto"

const HASHED = 2 ** 32

/** `20%` → 0.2. */
export const shareOf = (percentage: string): number => Number(percentage.slice(0, -1)) / 100

/** Samples of different names are independent of each other. */
export const isSampled = (name: "queue" | "sample", key: string, share: number): boolean =>
  Number.parseInt(hash("sha256", `planloom:${name}:${key}`).slice(0, 8), 16) < share * HASHED
