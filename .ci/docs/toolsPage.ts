/** The page of the tools that come with first-party plugins, made from their descriptions. */
import type { JsonSchema, Tool } from "@planloom/plugin/effect"
import * as Effect from "effect/Effect"
import { folderOf } from "../../.config/packageFolders.ts"
import { source } from "../../packages/domains/tools-data/src/index.ts"
import { searchDocuments } from "../../packages/components/documents/src/search/searchDocuments.ts"
import { listedTools } from "../../packages/components/tools-files/src/source.ts"
import { fieldsText } from "./schemaText.ts"

export const toolsPage = async (): Promise<string> => {
  const { tools } = await Effect.runPromise(Effect.scoped(source.list))
  return [
    "# Tools",
    "",
    "Tools of the plugins that come with Planloom. A stage runs one with [`call`](keys/kinds.md#call), a plan with `execute`, a model with [`agent`](workflows.md#agents).",
    "`planloom list tools WORKFLOW` prints the tools of a workflow, `planloom tools docs NAME` the page of one. HTTP APIs become tools by",
    "[`@planloom/tools-http`](../packages/components/tools-http/README.md). An approval of a call shows [what it will do](plugins.md#approvals).",
    "",
    ...section("Tables", "@planloom/tools-data", tools, "@duckdb/node-api", "vega vega-lite"),
    ...section("Documents", "@planloom/documents", [searchDocuments]),
    ...section("Files", "@planloom/tools-files", listedTools, "@planloom/tools-files"),
  ].join("\n")
}

const section = (
  title: string,
  plugin: string,
  tools: ReadonlyArray<Tool>,
  /** Packages beside the command, and those that only charts need. */
  needed?: string,
  charts?: string,
): ReadonlyArray<string> => [
  `## ${title}`,
  "",
  `Of [\`${plugin}\`](../${folderOf(plugin)}/README.md).${neededText(needed, charts)}`,
  "",
  "| tool | does | `params` | result |",
  "|---|---|---|---|",
  ...tools.map(
    ({ name, params, result, summary }) =>
      `| \`${name}\` | ${cell(summary)} | ${fieldsText(params)} | ${resultText(result)} |`,
  ),
  "",
]

const neededText = (needed?: string, charts?: string): string =>
  [
    ...(needed === undefined ? [] : [` Beside the command: \`npm install ${needed}\``]),
    ...(charts === undefined ? [] : [`, for charts also \`npm install ${charts}\``]),
    ...(needed === undefined ? [] : ["."]),
  ].join("")

const resultText = (result: JsonSchema | undefined): string =>
  result === undefined ? "" : fieldsText(result)

const cell = (text: string): string => text.replaceAll("|", "\\|")
