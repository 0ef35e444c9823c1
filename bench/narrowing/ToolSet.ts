/** Tools, and requests that say which of them they need. */
import { readFileSync, readdirSync } from "node:fs"
import { join } from "node:path"
import type { IndexDocument } from "@planloom/plugin/effect"

interface Tool {
  readonly id: string
  readonly name: string
  readonly description: string
  readonly group?: string
  readonly params: ReadonlyArray<{ readonly name: string; readonly description?: string }>
}

interface Query {
  readonly query: string
  readonly relevant: ReadonlyArray<string>
}

export interface ToolSet {
  readonly name: string
  readonly documents: ReadonlyArray<IndexDocument>
  readonly queries: ReadonlyArray<Query>
}

const documentOf = (tool: Tool): IndexDocument => ({
  id: tool.id,
  fields: {
    name: tool.name,
    group: tool.group ?? "",
    summary: tool.description,
    params: tool.params.map(({ name }) => name).join(" "),
    param_texts: tool.params.map(({ description }) => description ?? "").join(" "),
  },
})

/** The sets in a folder: those named, or all. */
export const readSets = (folder: string, chosen: ReadonlyArray<string>): ReadonlyArray<ToolSet> => {
  const read = <A>(file: string): ReadonlyArray<A> =>
    readFileSync(join(folder, file), "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as A)
  return readdirSync(folder)
    .filter((file) => file.endsWith(".tools.jsonl"))
    .map((file) => file.slice(0, -".tools.jsonl".length))
    .filter((name) => chosen.length === 0 || chosen.includes(name))
    .map((name) => ({
      name,
      documents: read<Tool>(`${name}.tools.jsonl`).map(documentOf),
      queries: read<Query>(`${name}.queries.jsonl`),
    }))
}
