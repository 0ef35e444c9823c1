/** The tool `search_documents`: its description, and the search of one library or all. */
import type { JsonObject, Tool } from "@planloom/plugin/effect"
import type { DocumentIndex } from "./index/DocumentIndex.ts"
import { isFound, type Hit } from "./index/searchWords.ts"
import type { SyncReport } from "./index/syncFolder.ts"

const DEFAULT_LIMIT = 5

const text = { type: "string" }
const texts = { type: "array", items: text }
const reasons = {
  type: "array",
  items: {
    type: "object",
    properties: { path: text, reason: text },
    required: ["path", "reason"],
    additionalProperties: false,
  },
}

const passage = {
  type: "object",
  properties: {
    library: { ...text, description: "its name" },
    id: text,
    path: text,
    heading: { ...text, description: "its headings, the highest first" },
    first_line: { type: "integer" },
    last_line: { type: "integer" },
    page: { type: "integer", description: "of a format with pages" },
    text,
    score: {
      type: "number",
      description: "the share of the query's words that it has, rare ones first",
    },
    by: { enum: ["words"] },
    matched: texts,
    missing: texts,
  },
  required: ["library", "id", "path", "heading", "text", "score", "by", "matched", "missing"],
  additionalProperties: false,
}

export const searchDocuments: Tool = {
  name: "search_documents",
  summary: "Finds the passages of documents that hold the words of a query, with their places.",
  group: "documents",
  capabilities: [],
  inputs: {},
  outputs: ["object"],
  params: {
    type: "object",
    properties: {
      query: {
        type: "string",
        minLength: 1,
        maxLength: 2000,
        role: "query",
        description: "what to look for, in a few words",
      },
      library: {
        type: "string",
        minLength: 1,
        maxLength: 200,
        description: "the library to search; all unless given",
      },
      limit: {
        type: "integer",
        minimum: 1,
        maximum: 20,
        role: "limit",
        description: "how many passages at most; 5 unless given",
      },
    },
    required: ["query"],
    additionalProperties: false,
  },
  result: {
    type: "object",
    properties: {
      text: { ...text, description: "one sentence for a person" },
      found: {
        type: "boolean",
        description: "whether a passage has more than half of the query's words",
      },
      passages: { type: "array", items: passage },
      unknown: { ...texts, description: "words of the query that no passage has" },
      unreadable: reasons,
      cut: reasons,
      complete: { type: "boolean", description: "whether all files were read as a whole" },
    },
    required: ["text", "found", "passages", "unknown", "unreadable", "cut", "complete"],
    additionalProperties: false,
  },
  effect: "read",
  idempotent: true,
}

/** A set that has been synced for this search. */
export interface SyncedSet {
  readonly name: string
  readonly index: DocumentIndex
  readonly report: SyncReport
}

export const searchSets = (sets: ReadonlyArray<SyncedSet>, params: JsonObject): JsonObject => {
  const query = String(params["query"])
  const limit = Number(params["limit"] ?? DEFAULT_LIMIT)
  const results = sets.map(({ index, name }) => ({ name, ...index.search(query, { limit }) }))
  const hits = results
    .flatMap(({ hits: some, name }) => some.map((hit) => ({ hit, name })))
    .toSorted((a, b) => b.hit.score - a.hit.score)
    .slice(0, limit)
  const [first, ...others] = results
  const unknown = (first?.unknown ?? []).filter((word) =>
    others.every((other) => other.unknown.includes(word)),
  )
  const found = hits.some(({ hit }) => isFound(hit))
  const unreadable = sets.flatMap(({ report }) => [...report.unreadable])
  const cut = sets.flatMap(({ report }) => [...report.cut])
  const left = sets.some(({ report }) => report.left)
  return {
    text: sentence(query, found, hits.length, unknown),
    found,
    passages: hits.map(({ hit, name }) => passageOf(name, hit)),
    unknown,
    unreadable: unreadable.map((one) => ({ ...one })),
    cut: cut.map((one) => ({ ...one })),
    complete: unreadable.length === 0 && cut.length === 0 && !left,
  }
}

const passageOf = (name: string, hit: Hit): JsonObject => {
  const { by, headings, id, lines, matched, missing, page, path, score, text: words } = hit
  return {
    library: name,
    id,
    path,
    heading: headings.join(" › "),
    // Pages are found by number; the lines of their text stand in no file.
    ...(page === undefined ? { first_line: lines[0], last_line: lines[1] } : { page }),
    text: words,
    score,
    by,
    matched: [...matched],
    missing: [...missing],
  }
}

const sentence = (
  query: string,
  found: boolean,
  count: number,
  unknown: ReadonlyArray<string>,
): string => {
  const without =
    unknown.length === 0 ? "" : ` No document has ${unknown.map((word) => `"${word}"`).join(", ")}.`
  return found
    ? `${count} ${count === 1 ? "passage" : "passages"} for "${query}".${without}`
    : `Nothing is found for "${query}": no passage has more than half of its words.${without}`
}
