/** Units of time that dates can be truncated to. */

export const grains = ["hour", "day", "week", "month", "quarter", "year"] as const
export type Grain = (typeof grains)[number]
