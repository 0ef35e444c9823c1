/** A short digest, by which names of the record differ for different values. */

export const digestOf = (value: unknown): string =>
  process.getBuiltinModule("node:crypto").hash("sha256", JSON.stringify(value)).slice(0, 16)
