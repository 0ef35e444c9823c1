/** Params that several tools have. */
export const currency = {
  type: "string",
  enum: ["MXN", "COP", "GTQ", "EUR"],
  description: "the currency that arrives",
} as const

export const amount = {
  type: "number",
  exclusiveMinimum: 0,
  maximum: 1_000_000,
  description: "US dollars to send, such as 99.5",
} as const

export const freeText = { type: "string", minLength: 1, maxLength: 500 } as const

export const reference = { type: "string", minLength: 1, maxLength: 120 } as const
