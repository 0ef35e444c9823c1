/** Key `reuse` of kinds that call tools: which calls of the run answer equal ones of the stage. */
import type { JsonObject, JsonSchema } from "@planloom/plugin/effect"

export type Reuse = "stage" | "run"

export const reuse = {
  type: "string",
  enum: ["stage", "run"],
  default: "stage",
  description:
    "`stage`: a call of an earlier attempt answers an equal one of a retry. `run`: each call that the run has made answers an equal one",
} as const satisfies JsonSchema

/** For the tools that are called. */
export const reuseOf = (given: Reuse): { readonly reuse?: "run" } =>
  given === "run" ? { reuse: given } : {}

export const reuses = ({ reuse: written = "stage" }: JsonObject): boolean => written !== "stage"
