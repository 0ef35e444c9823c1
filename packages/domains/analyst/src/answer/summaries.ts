/** One-line summaries of stage outputs. */
import type { Json } from "@planloom/plugin/effect"
import { counted } from "@planloom/stage-kit"
import { viewTable } from "@planloom/tables"
import type { Requirements } from "../requirements/Requirements.ts"
import { listRequirements } from "../requirements/listRequirements.ts"

/** `revenue by region per month; trend, anomaly`. */
export const requirementsLine = (asked: Requirements): string => {
  const labels = (...kinds: ReadonlyArray<string>) =>
    listRequirements(asked)
      .filter(({ kind }) => kinds.includes(kind))
      .map(({ label }) => label)
  const subject = [
    asked.metrics.join(", "),
    asked.group_by.length === 0 ? "" : `by ${asked.group_by.join(", ")}`,
    asked.time.grain === "unknown" ? "" : `per ${asked.time.grain}`,
  ].filter((part) => part !== "")
  const parts = [
    subject.join(" "),
    labels("analysis").join(", "),
    labels("filter").join(" and "),
    labels("top_n", "chart_type").join(", "),
    labels("exclude")
      .map((label) => `no ${label}`)
      .join(", "),
    asked.unknown.length === 0 ? "" : `not understood: ${asked.unknown.join(", ")}`,
  ].filter((part) => part !== "")
  return parts.length === 0 ? "nothing in particular is asked for" : parts.join("; ")
}

/** `answer of 9 lines, table of 144 rows, 1 chart`. */
export const answerLine = (text: string, table: Json, charts: number): string => {
  const rows = table === null ? undefined : viewTable(table)?.total
  return [
    `answer of ${counted(text.split("\n").length, "line")}`,
    ...(rows === undefined ? [] : [`table of ${counted(rows, "row")}`]),
    ...(charts === 0 ? [] : [counted(charts, "chart")]),
  ].join(", ")
}
