/** Stage kind `search`: searches libraries, once for each of its queries. */
import * as Effect from "effect/Effect"
import { stageKind } from "@planloom/plugin/effect"
import type {
  Json,
  JsonObject,
  JsonSchema,
  StageContext,
  ToolFailed,
} from "@planloom/plugin/effect"
import { joinResults, type QueryResult } from "./joinResults.ts"
import { query, searchParams, searchResult, where, wordings } from "./searchDocuments.ts"
import type { SearchParams, WrittenFilter } from "./searchSets.ts"

interface Query extends SearchParams {
  readonly id?: string
}

interface Input extends Omit<SearchParams, "query" | "where" | "wordings"> {
  readonly queries: ReadonlyArray<string | Query>
  readonly where: WrittenFilter
  readonly on_query_error: "fail" | "keep"
  readonly reuse: "stage" | "run"
}

const TOOL = "search_documents"
const MAX_QUERIES = 64

const text = { type: "string" } as const

const searchAll = Effect.fnUntraced(function* (input: Input, context: StageContext) {
  const { on_query_error: onError, queries, reuse, ...shared } = input
  const made = new Map<string, QueryResult>()
  const results: Array<QueryResult> = []
  for (const [at, written] of queries.entries()) {
    const { id = `${at + 1}`, ...own } = typeof written === "string" ? { query: written } : written
    // What a query may find is the workflow's; it comes last.
    const params = { ...shared, ...own, where: input.where }
    const key = JSON.stringify(params)
    // An equal query is searched once.
    const result =
      made.get(key) ?? (yield* searchOne(`${at + 1}`, params, { onError, reuse }, context))
    made.set(key, result)
    results.push({ ...result, id })
  }
  const output = joinResults(results)
  yield* context.note("summary", output["text"]!)
  return output as Json
})

const searchOne = (
  key: string,
  params: SearchParams,
  { onError, reuse }: { readonly onError: Input["on_query_error"]; readonly reuse: Input["reuse"] },
  context: StageContext,
): Effect.Effect<QueryResult, ToolFailed> => {
  const { query: words, where: _, ...options } = params
  const asked = { id: key, query: words, params: options as unknown as JsonObject }
  const done = Effect.map(
    context.callTool({
      tool: TOOL,
      params: params as unknown as JsonObject,
      key,
      ...(reuse === "run" && { reuse }),
    }),
    (result) => ({ ...asked, ...(result as object) }) as QueryResult,
  )
  return onError === "fail"
    ? done
    : Effect.catch(done, ({ message }) =>
        Effect.succeed({ ...asked, ...nothing, text: message, error: message }),
      )
}

const propertiesOf = (params: JsonSchema | undefined): { readonly [name: string]: JsonSchema } =>
  (params as { readonly properties?: { readonly [name: string]: JsonSchema } } | undefined)
    ?.properties ?? {}

const nothing = {
  found: false,
  passages: [],
  unknown: [],
  read_as: [],
  searched: [],
  empty: [],
  unreadable: [],
  cut: [],
  complete: true,
} as const

/** A query with settings of its own. */
const ownQuery = {
  type: "object",
  additionalProperties: false,
  required: ["query"],
  properties: {
    query,
    wordings,
    ...searchParams,
    id: { ...text, description: "its name in the output, such as that of a requirement" },
  },
} as const satisfies JsonSchema

const { complete, cut, found, passages, unreadable, ...ofQuery } = searchResult

export const search = stageKind<Input>({
  id: "search",
  summary: "Searches libraries, once for each of its queries.",
  // It shows what documents say, unless a model wrote what it is given.
  relays: true,
  input: {
    type: "object",
    additionalProperties: false,
    required: ["queries"],
    properties: {
      queries: {
        type: "array",
        maxItems: MAX_QUERIES,
        items: {
          anyOf: [query, ownQuery],
        },
        description:
          "what to look for: texts, or each with its own library, mode, filter, threshold and limit",
      },
      ...searchParams,
      where: {
        ...where,
        default: {},
        description:
          "by facet: the exact value, or one of the values, of all that may be found; filters of queries only narrow it",
      },
      on_query_error: {
        enum: ["fail", "keep"],
        default: "fail",
        description: "`keep`: a query that cannot be searched has the reason as its `error`",
      },
      reuse: {
        enum: ["stage", "run"],
        default: "stage",
        description: "`run`: an equal search that the run has made answers a query",
      },
    },
  },
  output: {
    type: "object",
    additionalProperties: false,
    required: ["text", "found", "results", "passages", "empty", "unreadable", "cut", "complete"],
    properties: {
      text: searchResult.text,
      found: { ...found, description: "whether a query has found something" },
      results: {
        type: "array",
        items: {
          type: "object",
          additionalProperties: false,
          required: ["id", "query", "params", "found", "passages", ...Object.keys(ofQuery)],
          properties: {
            id: text,
            query: text,
            params: { type: "object" },
            found,
            passages,
            ...ofQuery,
            error: { ...text, description: "why it was not searched" },
          },
        },
        description: "by query, in their order",
      },
      passages: { ...passages, description: "of all queries, each once, best first" },
      empty: { ...searchResult.empty, description: "libraries in which no query finds anything" },
      unreadable,
      cut,
      complete,
    },
  },
  /** The libraries of the workflow. */
  expects: ({ queries }, receivers) => {
    const { library } = propertiesOf(receivers.tool(TOOL))
    if (library === undefined) return {}
    const withLibrary = { ...ownQuery, properties: { ...ownQuery.properties, library } }
    // A choice of shapes would be reported without the libraries.
    const isPlain = Array.isArray(queries) && queries.every((one: Json) => typeof one === "object")
    const items = isPlain ? withLibrary : { anyOf: [text, withLibrary] }
    return { library, queries: { type: "array", items } }
  },
  reuses: ({ reuse: written }) => written === "run",
  refers: () => [{ to: "tool", id: TOOL, at: [] }],
  asks: ({ open, with: { queries } }) => ({
    calls: Array.isArray(queries) && !open.includes("queries") ? queries.length : MAX_QUERIES,
    tools: [TOOL],
  }),
  run: searchAll,
})
