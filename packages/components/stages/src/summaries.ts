/** One-line summaries of stage outputs, from the output alone where possible. */
import type { Json, JsonObject } from "@planloom/plugin/effect"
import { parallelLevels } from "@planloom/planning"
import type { Coverage, Plan } from "@planloom/planning"
import { counted } from "@planloom/stage-kit"

/** `10 of 13 tools: aggregate, plot_line`. */
export const toolsLine = (tools: ReadonlyArray<string>, known: number): string =>
  `${tools.length} of ${counted(known, "tool")}${tools.length === 0 ? "" : `: ${tools.join(", ")}`}`

/** `time_series_grouped: series → chart, anomalies`; parallel steps stand between arrows. */
export const planLine = (plan: Plan, template: string | undefined): string => {
  const ordered = parallelLevels(plan)
  const levels = ordered.ok ? ordered.levels : [plan.steps]
  const steps = levels.map((level) => level.map(({ id }) => id).join(", ")).join(" → ")
  return [template, steps === "" ? "no step" : steps]
    .filter((part) => part !== undefined)
    .join(": ")
}

/** `all 6 requirements covered, 4 steps justified`. */
export const coverageLine = ({ counts, issues }: Coverage, ok: boolean): string => {
  const steps = counts.steps - counts.unjustified
  if (ok)
    return `all ${counted(counts.requirements, "requirement")} covered, ${counted(steps, "step")} justified`
  const [first] = issues
  const open = counts.requirements - counts.covered
  return [
    open === 0 ? "" : `${open} of ${counted(counts.requirements, "requirement")} not covered`,
    counts.unjustified === 0 ? "" : `${counted(counts.unjustified, "step")} without a reason`,
    first === undefined ? "" : first.message,
  ]
    .filter((part) => part !== "")
    .join("; ")
}

/** `4 steps, 1 repair, 1 failed`. */
export const executionLine = (steps: number, repairs: number, failed: number): string =>
  [
    counted(steps, "step"),
    ...(repairs === 0 ? [] : [counted(repairs, "repair")]),
    ...(failed === 0 ? [] : [`${failed} failed`]),
  ].join(", ")

/** Summary of any value: its title, the size of a text, its field names; undefined if it is empty. */
export const valueLine = (value: Json): string | undefined => {
  if (typeof value === "string") return counted(wordsIn(value), "word")
  if (Array.isArray(value)) return counted(value.length, "item")
  if (typeof value !== "object" || value === null) return undefined
  const { title, type } = value as JsonObject
  if (typeof title === "string") return typeof type === "string" ? `${type}: ${title}` : title
  const keys = Object.keys(value)
  return keys.length === 0 ? undefined : keys.join(", ")
}

const wordsIn = (text: string): number => text.split(/\s+/).filter((word) => word !== "").length
