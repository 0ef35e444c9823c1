/** Units of time a column of dates can be cut to. */

export const grains = ["hour", "day", "week", "month", "quarter", "year"] as const
export type Grain = (typeof grains)[number]
