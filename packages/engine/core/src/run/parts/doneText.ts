/** What a call has changed, for the user who reads nothing else of it. */
import type { CallRecord, DoneText, Json } from "@planloom/plugin/effect"
import { languageOf, titleOfTool } from "@planloom/plugin/texts"
import { isObject } from "@planloom/schema"
import type { HookSite } from "../../hook/HookSite.ts"
import { writes } from "../../tool/writes.ts"
import type { Frame } from "../Frame.ts"

/** Undefined for a call that failed or changes nothing. */
export const doneText = (
  { pipeline, state }: Frame,
  { surroundings }: HookSite,
  { ok, result, summary, tool: name }: CallRecord,
): DoneText | undefined => {
  const tool = state.toolsOf(pipeline).get(name)?.tool
  if (!ok || !writes(tool ?? {})) return undefined
  const title = titleOfTool(tool ?? { name }, languageOf(surroundings.user))
  const plain = surroundings.text("done", { values: { tool: title } })
  // A general summary is for logs.
  const said = tool?.summarize === undefined ? textIn(result) : summary
  return said === undefined || said === "" ? { plain } : { said, plain }
}

const textIn = (result: Json | undefined): string | undefined => {
  const text = isObject(result) ? result["text"] : undefined
  return typeof text === "string" ? text : undefined
}
