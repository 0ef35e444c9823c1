/** Members of an API's answer as what they should be: a foreign answer is never trusted to have its shape. */
const MAX_TEXT_CHARS = 200

export type Members = { readonly [name: string]: unknown }

export const membersOf = (value: unknown): Members =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Members) : {}

export const listOf = (value: unknown): ReadonlyArray<unknown> =>
  Array.isArray(value) ? value : []

/** Texts are shortened: names of tokens are whatever their makers wrote. */
export const textOf = (value: unknown): string =>
  typeof value === "string" ? value.slice(0, MAX_TEXT_CHARS) : ""

/** Undefined unless it is a number, or a text of one, as prices are. */
export const numberOf = (value: unknown): number | undefined => {
  const number = typeof value === "string" && value !== "" ? Number(value) : value
  return typeof number === "number" && Number.isFinite(number) ? number : undefined
}
