/** Results of steps that an answer describes. */
import type { Step } from "@planloom/planning"
import type { Tool } from "@planloom/plugin/effect"
import type { TableView } from "@planloom/tables"

/** One step's table with what is known about it. */
export interface Found {
  readonly step: Step
  readonly tool: Tool
  readonly table: TableView
}
