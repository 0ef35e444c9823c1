/** Tools, and requests that say which of them they need. */
import { createHash } from "node:crypto"
import { readFileSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { toolDocument } from "@planloom/planning"
import type { IndexDocument } from "@planloom/plugin/effect"

interface Tool {
  readonly id: string
  readonly name: string
  readonly description: string
  readonly group?: string
  readonly group_description?: string
  readonly params: ReadonlyArray<{ readonly name: string; readonly description?: string }>
}

interface Query {
  readonly id: string
  readonly query: string
  readonly relevant: ReadonlyArray<string>
}

export interface ToolSet {
  readonly name: string
  readonly documents: ReadonlyArray<IndexDocument>
  readonly queries: ReadonlyArray<Query>
}

/** The document of the product for such a tool; names repeat in some sets, ids do not. */
const documentOf = ({ description, group, group_description, id, name, params }: Tool) => ({
  ...toolDocument({
    name,
    summary: description,
    capabilities: [],
    inputs: {},
    outputs: [],
    params: {
      type: "object",
      properties: Object.fromEntries(
        params.map((param) => [param.name, { description: param.description ?? "" }]),
      ),
    },
    ...(group === undefined ? {} : { group }),
    ...(group_description === undefined ? {} : { group_summary: group_description }),
  }),
  id,
})

export type Half = "seen" | "unseen"

/** Which half a query is in, by a digest of its id: the same for everyone, whatever else is in the file. */
const halfOf = ({ id }: Query): Half =>
  createHash("sha256").update(id).digest()[0]! % 2 === 0 ? "seen" : "unseen"

/** The sets in a folder: those named, or all; with all queries, or one half of them. */
export const readSets = (
  folder: string,
  chosen: ReadonlyArray<string>,
  half?: Half,
): ReadonlyArray<ToolSet> => {
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
      queries: read<Query>(`${name}.queries.jsonl`).filter(
        (query) => half === undefined || halfOf(query) === half,
      ),
    }))
}
