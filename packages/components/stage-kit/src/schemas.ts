/** Schemas that kinds of several packages share. */
import { planSchema, writtenPlanSchema } from "@planloom/planning"

export const text = { type: "string" } as const
export const texts = { type: "array", items: text } as const

export const plan = planSchema
export const writtenPlan = writtenPlanSchema
