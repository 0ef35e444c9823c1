/** The tool `search_documents`: its description, and the schemas that it shares with the stage `search`. */
import type { JsonObject, JsonSchema, Tool } from "@planloom/plugin/effect"
import type { DocumentSet } from "../sets/readSets.ts"

export const DEFAULT_LIMIT = 5
const MAX_LIMIT = 50

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

const readings = {
  type: "array",
  items: {
    type: "object",
    properties: { word: text, as: text },
    required: ["word", "as"],
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
    modified: { ...text, description: "when its file changed last, in UTC" },
    text,
    score: {
      type: "number",
      description:
        "by words: the share of the query's words that it has, rare ones first; by meaning: the cosine",
    },
    by: { enum: ["words", "meaning"] },
    matched: texts,
    missing: texts,
    wording: {
      ...text,
      description:
        "the wording to which it answers better than to the query: what it has and lacks are words of this",
    },
    read_as: { ...readings, description: "matched words that are spelled otherwise in it" },
    cosine: {
      type: "number",
      description: "how near its meaning is to the query's, of a library with an embedder",
    },
    near: { const: true, description: "it counts as found by its meaning" },
    column: { ...text, description: "of a faceted search: the column that was best" },
  },
  required: ["library", "id", "path", "heading", "text", "score", "by", "matched", "missing"],
  additionalProperties: false,
}

const scalar = { type: ["string", "number", "boolean"] } as const

const filter = {
  type: "object",
  additionalProperties: { anyOf: [scalar, { type: "array", items: scalar, maxItems: 1000 }] },
} as const satisfies JsonSchema

/** The bounds of all that may be found: values are compared exactly, and filters only narrow them. */
export const where = {
  ...filter,
  description: "by facet: the exact value, or one of the values, that a passage must have",
} as const satisfies JsonSchema

/** Settings of a search besides its query, for the tool and for each query of a stage. */
export const searchParams = {
  library: {
    type: "string",
    minLength: 1,
    maxLength: 200,
    description: "the library to search; all unless given",
  },
  mode: {
    enum: ["faceted", "master"],
    description:
      "of rows: `faceted` searches their columns one by one, and the best counts; `master`, unless given, searches whole rows",
  },
  filter: {
    ...filter,
    description: "by facet: the value, or one of the values, that a passage must have, in any case",
  },
  threshold: {
    type: "number",
    minimum: 0,
    maximum: 1,
    role: "threshold",
    description: "leaves out passages with a lower score; nothing is found below it",
  },
  limit: {
    type: "integer",
    minimum: 1,
    maximum: MAX_LIMIT,
    role: "limit",
    description: `how many passages at most; ${DEFAULT_LIMIT} unless given`,
  },
} as const satisfies { readonly [param: string]: JsonSchema }

export const query = {
  type: "string",
  minLength: 1,
  maxLength: 2000,
  role: "query",
  description: "what to look for, in a few words",
} as const satisfies JsonSchema

/** Of one query: its own, unlike settings that queries share. */
export const wordings = {
  type: "array",
  items: { type: "string", minLength: 1, maxLength: 300 },
  maxItems: 5,
  description:
    "the query in other words, such as documents may use: passages are ranked by the words of all, and found by those of one",
} as const satisfies JsonSchema

/** The report of each search. */
export const searchResult = {
  text: { ...text, description: "one sentence for a person" },
  found: {
    type: "boolean",
    description:
      "whether a passage has enough of the query's words: more than one, or all, and a score of at least the threshold, or 0.4; or means about the same",
  },
  passages: { type: "array", items: passage },
  unknown: { ...texts, description: "words of the query that no passage has" },
  read_as: {
    ...readings,
    description:
      "words of the query that no passage has, and the nearest words that were searched instead",
  },
  searched: { ...texts, description: "the libraries" },
  empty: { ...texts, description: "libraries in which nothing is found" },
  unreadable: reasons,
  cut: reasons,
  complete: { type: "boolean", description: "whether all files were read as a whole" },
} as const satisfies { readonly [property: string]: JsonSchema }

export const searchDocuments: Tool = {
  name: "search_documents",
  summary: "Finds the passages of documents that hold the words of a query, with their places.",
  group: "documents",
  capabilities: [],
  inputs: {},
  outputs: ["object"],
  params: {
    type: "object",
    properties: { query, wordings, ...searchParams, where },
    required: ["query"],
    additionalProperties: false,
  },
  result: {
    type: "object",
    properties: searchResult,
    required: Object.keys(searchResult),
    additionalProperties: false,
  },
  summarize: "result.text",
  effect: "read",
  idempotent: true,
  searches: 0,
}

const listed = new Map<string, Tool>()

/** The tool with the names and services of a workflow's libraries; the same object for the same ones. */
export const searchDocumentsIn = (
  sets: ReadonlyArray<Pick<DocumentSet, "name" | "embedder" | "rerank">>,
): Tool => {
  if (sets.length === 0) return searchDocuments
  const names = sets.map(({ name }) => name)
  const services = [
    // How many passages have to be embedded first is not known.
    ...distinct(sets.map(({ embedder }) => embedder)).map((id) => ({
      to: "embedder" as const,
      id,
    })),
    ...distinct(sets.map(({ rerank }) => rerank)).map((id) => ({
      to: "reranker" as const,
      id,
      calls: sets.filter(({ rerank }) => rerank === id).length,
    })),
  ]
  const key = JSON.stringify([names, services])
  const known = listed.get(key)
  if (known !== undefined) return known
  const { description } = searchParams.library
  const library = { enum: names, description }
  const properties = { query, wordings, ...searchParams, library, where }
  const tool: Tool = {
    ...searchDocuments,
    params: { ...(searchDocuments.params as JsonObject), properties },
    ...(services.length > 0 && { services }),
  }
  listed.set(key, tool)
  return tool
}

const distinct = (ids: ReadonlyArray<string | undefined>): ReadonlyArray<string> => [
  ...new Set(ids.filter((id) => id !== undefined)),
]
