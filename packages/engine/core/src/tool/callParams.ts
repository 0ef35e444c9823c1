/** The params of a call from what a stage, a plan or a model gives: normalized, filled, repaired, in this order. */
import type {
  JsonObject,
  PreparedCall,
  Repair,
  RepairParams,
  StageContext,
  Tool,
  ToolFailed,
} from "@planloom/plugin/effect"
import { formatIssues, rejectionOf } from "@planloom/schema"
import { validatorOf } from "@planloom/schema/ajv"
import {
  fillParams,
  normalizeParams,
  type DefaultsScope,
  type ExpressionFault,
} from "./ToolExpressions.ts"
import { toolFailure } from "./toolResult.ts"

export interface CallParams {
  readonly params: JsonObject
  readonly repairs: ReadonlyArray<Repair>
  /** Expressions of the tool that failed; what they would have changed stays as given. */
  readonly faults: ReadonlyArray<ExpressionFault>
}

const noRepairs: ReadonlyArray<Repair> = []

/** Every call of a tool begins with it, whatever makes the call; `mismatch` then checks what it gives. */
export const callParams = (
  tool: Tool,
  given: JsonObject,
  site: DefaultsScope,
  repair: RepairParams | undefined,
): CallParams => {
  const faults: Array<ExpressionFault> = []
  const params = fillParams(tool, normalizeParams(tool, given, faults), site, faults)
  return repair === undefined || rejectionOf(tool.params) !== undefined
    ? { params, repairs: noRepairs, faults }
    : { ...repair(tool, params), faults }
}

/** The reason against a call with these params; undefined if they fit the tool's schema. */
export const mismatch = (tool: Tool, params: JsonObject): ToolFailed | undefined => {
  const { name } = tool
  const rejection = rejectionOf(tool.params)
  if (rejection !== undefined)
    return toolFailure(name, "invalid_request", `the params of "${name}": ${rejection.message}`)
  const issues = validatorOf(tool.params)(params)
  return issues.length === 0
    ? undefined
    : toolFailure(
        name,
        "invalid_request",
        `the arguments of "${name}" do not fit: ${formatIssues(issues, "the object")}`,
        issues.map(({ message, path }) => ({ path, message })),
      )
}

/** A call that is not made. */
export const prepareCall = (
  tool: Tool | undefined,
  { params: given, repair, tool: name }: Parameters<StageContext["prepareCall"]>[0],
  site: DefaultsScope,
): PreparedCall => {
  if (tool === undefined) return { params: given, repairs: noRepairs, problem: unknownTool(name) }
  const { params, repairs } = callParams(tool, given, site, repair)
  const problem = mismatch(tool, params)?.message
  return problem === undefined ? { params, repairs } : { params, repairs, problem }
}

export const unknownTool = (name: string): string => `there is no tool "${name}"`
