/** Whether a call of a tool changes something outside the run; a tool without `effect` counts as one that does. */
import type { Tool } from "@planloom/plugin/effect"

export const writes = ({ effect }: Pick<Tool, "effect">): boolean =>
  effect !== "none" && effect !== "read"
