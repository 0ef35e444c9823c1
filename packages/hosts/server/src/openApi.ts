/** Describes the API as an OpenAPI 3.1 document: its routes, and the inputs of the served workflows. */
import { escapeStep, nestedSchema, type JsonSchema } from "@planloom/schema"
import type { ServedWorkflow } from "./Api.ts"
import type { Scope } from "./Scope.ts"

/** A row of the route table. */
export type DescribedRoute = readonly [method: string, path: string, scope: Scope, ...unknown[]]

interface Fields {
  readonly [key: string]: unknown
}

interface Described {
  readonly summary: string
  readonly query?: { readonly [name: string]: JsonSchema }
  readonly body?: Fields
  /** Content type of the reply; JSON unless given. */
  readonly replies?: string
}

const string = { type: "string" } as const
const object = (properties: Fields, required: ReadonlyArray<string> = []): Fields => ({
  type: "object",
  properties,
  ...(required.length === 0 ? {} : { required }),
  additionalProperties: false,
})
const reason = { by: string, why: string }

/** By method and path; a route without one is described by its path, scope and replies. */
const descriptions: { readonly [route: string]: Described } = {
  "GET /runs": {
    summary: "Lists runs, newest first.",
    query: {
      status: string,
      workflow: string,
      since: string,
      before: string,
      failed_with: string,
      session: string,
      limit: { type: "integer" },
    },
  },
  "GET /runs/:run": { summary: "Shows a run, its result so far and its open questions." },
  "GET /runs/:run/events": {
    summary: "Gives the events of a run, as JSON or as a stream (Accept: text/event-stream).",
    query: { from: { type: "integer" } },
  },
  "POST /runs/:run/answers/*name": {
    summary: "Answers a question.",
    body: object({ value: true, by: string }, ["value"]),
  },
  "POST /runs/:run/cancel": {
    summary: "Cancels a run.",
    body: object({ mode: { enum: ["after", "now"] }, reason: string }),
  },
  "POST /runs/:run/resume": {
    summary: "Supplies personal inputs again.",
    body: object({ inputs: { type: "object" } }),
  },
  "GET /waits": {
    summary: "Lists the open questions of all runs, oldest first.",
    query: {
      run: string,
      workflow: string,
      limit: { type: "integer" },
      offset: { type: "integer" },
    },
  },
  "GET /workflows": { summary: "Lists the served workflows with the schemas of their inputs." },
  "POST /workflows/:name/runs": {
    summary: "Starts a run, or gives the run that the same Idempotency-Key started.",
    body: object({ inputs: { type: "object" }, session: string }),
  },
  "GET /workflows/:name/models": {
    summary: "Shows the models of each alias and stage, and the history of swaps.",
  },
  "POST /workflows/:name/models": {
    summary: "Swaps the models of an alias or a stage for the next call.",
    body: object(
      { alias: string, stage: string, models: { type: "array", items: string }, ...reason },
      ["models"],
    ),
  },
  "POST /workflows/:name/models/undo": {
    summary: "Undoes the last swap.",
    body: object(reason),
  },
  "GET /reviews": {
    summary: "Lists reviews that people decide on, oldest first.",
    query: { state: string, limit: { type: "integer" } },
  },
  "GET /reviews/*review": { summary: "Shows a review." },
  "POST /reviews/claim/*review": {
    summary: "Takes a review for a time, so that no other person works on it.",
    body: object({ by: string, for: string }),
  },
  "POST /reviews/decide/*review": {
    summary: "Decides what the reviews of a reply should have come to.",
    body: object({ verdict: string, text: string, note: string, by: string }, ["verdict"]),
  },
  "DELETE /users/:user": {
    summary: "Erases a user, with their runs if `runs` is true.",
    query: { runs: { type: "boolean" } },
  },
  "GET /audit": {
    summary:
      "Lists who did what: answers, keys, swaps, prompts, reviews and erasures, oldest first.",
    query: { since: string, action: string, after: string, limit: { type: "integer" } },
  },
  "GET /metrics": {
    summary:
      "Gives metrics of runs and of the server in Prometheus's text format, if they are kept.",
    replies: "text/plain",
  },
  "GET /openapi.json": { summary: "This document." },
}

const problem = {
  description: "A problem (RFC 9457)",
  content: {
    "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } },
  },
} as const

/** A workflow's own path states its inputs; a client of the document prefers it to the path with a parameter. */
export const openApi = (
  routes: ReadonlyArray<DescribedRoute>,
  workflows: ReadonlyMap<string, ServedWorkflow> = new Map(),
): Fields => {
  const paths: { [path: string]: { [method: string]: Fields } } = {}
  const add = (method: string, path: string, operation: Fields) => {
    paths[path] = { ...paths[path], [method.toLowerCase()]: operation }
  }
  for (const [method, pattern, scope] of routes) {
    const described = descriptions[`${method} ${pattern}`] ?? { summary: `${method} ${pattern}` }
    add(method, withBraces(pattern), operationOf(described, scope, pattern))
  }
  for (const [name, { pipeline }] of workflows) {
    const path = `/workflows/${encodeURIComponent(name)}/runs`
    const inputs = nestedSchema(pipeline.inputs.schema, inputsAt(path))
    const { description } = pipeline.definition
    const described = {
      summary: description ?? `Starts a run of ${name}.`,
      body: object({ inputs, session: string }),
    }
    add("POST", path, operationOf(described, "runs:write"))
  }
  add("GET", "/", {
    summary: "What the server is, and where its API is; needs no token.",
    security: [],
    responses: { "200": { description: "Paths of the API" } },
  })
  add("GET", "/health", {
    summary: "Whether the server takes runs; needs no token.",
    security: [],
    responses: { "200": { description: "It does" }, "503": { description: "It shuts down" } },
  })
  return {
    openapi: "3.1.0",
    info: { title: "Planloom", version: "1" },
    security: [{ bearer: [] }],
    paths,
    components: {
      securitySchemes: { bearer: { type: "http", scheme: "bearer" } },
      schemas: {
        Problem: {
          type: "object",
          properties: { type: string, title: string, status: { type: "integer" }, detail: string },
          required: ["type", "title", "status", "detail"],
        },
      },
    },
  }
}

/** JSON Pointer of the inputs in the document. */
const inputsAt = (path: string): string =>
  `/paths/${escapeStep(path)}/post/requestBody/content/${escapeStep("application/json")}/schema/properties/inputs`

/** The path of a route as OpenAPI writes it: `/runs/{run}`. */
export const withBraces = (pattern: string): string => pattern.replaceAll(/[:*](\w+)/g, "{$1}")

const operationOf = (
  { body, query = {}, replies = "application/json", summary }: Described,
  scope: Scope,
  pattern = "",
): Fields => {
  const parameters = [
    ...[...pattern.matchAll(/[:*](\w+)/g)].map(([, name]) => ({
      name: name!,
      in: "path",
      required: true,
      schema: string,
    })),
    ...Object.entries(query).map(([name, schema]) => ({ name, in: "query", schema })),
  ]
  return {
    summary,
    description: `An API key needs the scope \`${scope}\`.`,
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined
      ? {}
      : { requestBody: { content: { "application/json": { schema: body } } } }),
    responses: {
      "2XX": { description: "The reply", content: { [replies]: {} } },
      default: problem,
    },
  }
}
