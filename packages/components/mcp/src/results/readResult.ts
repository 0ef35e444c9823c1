/** The result of a call as a server sent it → the value of the call, or its failure with the server's own words. */
import type { Json, JsonObject, JsonSchema } from "@planloom/plugin/effect"
import { formatIssues } from "@planloom/schema"
import { validatorOf } from "@planloom/schema/ajv"
import { cleanJson } from "../cleanJson.ts"
import { cleanLine } from "@planloom/plugin/clean"
import type { RawResult } from "../connection/Connection.ts"
import { McpFailed } from "../McpFailed.ts"
import { readContent, type Content } from "./readContent.ts"
import { RunFiles } from "./RunFiles.ts"

export interface ReadOptions {
  /** The tool, as the workflow names it. */
  readonly tool: string
  /** Of its structured content. */
  readonly schema: JsonSchema | undefined
  /** Whether its text is JSON. */
  readonly isJson: boolean
  /** Whether all of it is the value. */
  readonly isWhole: boolean
  /** Whether the tool is listed: of another one the schema is unknown, and structured content is the value. */
  readonly isListed: boolean
  /** Folder of the run. */
  readonly workspace: string
  /** Removes secrets. */
  readonly hide: (text: string) => string
}

const MAX_SAID_CHARS = 1000

/** Attachments of a result whose value is structured stand beside it. */
export interface ReadResult {
  readonly value: Json
  readonly beside: ReadonlyArray<JsonObject>
  /** Kinds of phrases in a document that instruct a model. */
  readonly signs?: ReadonlyArray<string>
}

/** Rejects with a `McpFailed`. */
export const readResult = async (
  { content: parts, isError, structuredContent }: RawResult,
  { hide, isJson, isListed, isWhole, schema, tool, workspace }: ReadOptions,
): Promise<ReadResult> => {
  const content = await readContent(parts, new RunFiles(workspace), hide)
  const structured =
    structuredContent === undefined ? undefined : cleanJson(structuredContent, hide)
  const plain: JsonObject = { ...content, ...(structured === undefined ? {} : { structured }) }
  if (isError === true) {
    throw new McpFailed("tool_error", `"${tool}" reports: ${saidIn(content, structured)}`, {
      detail: plain,
    })
  }
  const fail = (why: string): never => {
    throw new McpFailed("tool_error", `"${tool}" ${why}; it said: ${saidIn(content, structured)}`, {
      detail: plain,
    })
  }
  if (schema !== undefined) {
    if (structured === undefined)
      return fail("has an output schema, and gave no structured content")
    const issues = validatorOf(schema)(structured)
    if (issues.length > 0) {
      return fail(
        `gave a result that does not fit its output schema: ${formatIssues(issues, "the result")}`,
      )
    }
    if (!isWhole) return { value: structured, beside: content.attachments }
  }
  if (!isWhole && !isListed && structured !== undefined) {
    return { value: structured, beside: content.attachments }
  }
  if (isWhole || !isJson) return { value: plain, beside: [] }
  let value: Json
  try {
    value = JSON.parse(content.text) as Json
  } catch {
    return fail("gave a text that is no JSON, though the server's `json` names it")
  }
  // Escapes of JSON were not seen in the text.
  return { value: cleanJson(value, hide), beside: content.attachments }
}

/** The server's text, in one line. */
const saidIn = ({ text }: Content, structured: Json | undefined): string => {
  const said = text === "" && structured !== undefined ? JSON.stringify(structured) : text
  return said === "" ? "nothing" : cleanLine(said, MAX_SAID_CHARS)
}
