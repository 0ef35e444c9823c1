/** The params of a tool as models read them. */
import { withoutDialect } from "@planloom/schema/annotations"
import type { JsonSchema } from "./Json.ts"
import type { Tool } from "../component/Tool.ts"

/** Made once: providers keep what they make of a declaration by its identity. */
const read = new WeakMap<Tool, JsonSchema>()

/** Without `$schema`, which services reject or models repeat. */
export const modelParams = (tool: Tool): JsonSchema => {
  let params = read.get(tool)
  if (params === undefined) read.set(tool, (params = withoutDialect(tool.params)))
  return params
}
