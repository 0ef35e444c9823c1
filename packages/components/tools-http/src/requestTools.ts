/** The tools that send any request to an allowed host: `http_get` and `http_request`. */
import type { JsonObject, Tool } from "@planloom/plugin/effect"
import { methods, type Endpoint } from "./endpoint/Endpoint.ts"
import { headerProblem } from "./endpoint/headerProblem.ts"
import { textOf } from "./endpoint/serialize.ts"
import { refused } from "./HttpFailed.ts"

const url = { type: "string", minLength: 1, description: "The URL; its host has to be allowed." }
const query = { type: "object", description: "Query parameters; a list repeats its parameter." }
const headers = {
  type: "object",
  additionalProperties: { type: "string" },
  description: "Headers; none that authenticates.",
}

const result = {
  type: "object",
  properties: {
    status: { type: "integer" },
    url: { type: "string", description: "after redirects" },
    content_type: { type: "string" },
    body: { description: "JSON as data, anything else as text; null without content" },
  },
  required: ["status", "url", "content_type", "body"],
  additionalProperties: false,
} as const

const described = (name: string, summary: string, more: Partial<Tool>): Tool => ({
  name,
  summary,
  group: "http",
  capabilities: [],
  inputs: {},
  outputs: ["object"],
  params: true,
  result,
  searches: 0,
  ...more,
})

const object = (properties: object, required: ReadonlyArray<string>) => ({
  type: "object",
  properties,
  required,
  additionalProperties: false,
})

export const requestTools: ReadonlyArray<Tool> = [
  described("http_get", "Reads a URL of an allowed host: JSON as data, anything else as text.", {
    effect: "read",
    idempotent: true,
    params: object({ url, query, headers }, ["url"]),
  }),
  described("http_request", "Sends a request with any method and a body to an allowed host.", {
    effect: "write",
    params: object(
      {
        method: { enum: methods },
        url,
        query,
        headers,
        json: { description: "The body as JSON." },
        form: { type: "object", description: "The body as the fields of a form." },
        text: { type: "string", description: "The body as text." },
      },
      ["method", "url"],
    ),
  }),
]

/** A call of one of the tools as an endpoint with params. */
export const requestOf = (
  params: JsonObject,
): { readonly endpoint: Endpoint; readonly params: JsonObject } => {
  const { headers: given = {}, method = "GET", query: pairs = {}, url: text } = params
  const bodies = (["json", "form", "text"] as const).filter((form) => params[form] !== undefined)
  const [form] = bodies
  if (bodies.length > 1) throw refused(`a request has one body, not ${bodies.join(" and ")}`)
  const address = URL.canParse(String(text)) ? new URL(String(text)) : undefined
  if (address !== undefined) address.hash = ""
  if (address === undefined) throw refused(`${JSON.stringify(text)} is not a URL`)
  const inHeaders = Object.entries(given as JsonObject)
  for (const [name] of inHeaders) {
    const problem = headerProblem(name)
    if (problem !== undefined) throw refused(problem)
  }
  return {
    endpoint: {
      method: String(method),
      // Braces of a URL are its own, and no params.
      url: address.href.replaceAll("{", "%7B").replaceAll("}", "%7D"),
      headers: Object.fromEntries(inHeaders.map(([name, value]) => [name, textOf(value)])),
      parameters: Object.fromEntries([
        ...Object.keys(pairs as JsonObject).map((name) => [name, { in: "query" }]),
        ...(form === undefined ? [] : [[BODY, { in: "body" }]]),
      ]),
      ...(form === undefined ? {} : { body: form }),
    },
    params: { ...(pairs as JsonObject), ...(form === undefined ? {} : { [BODY]: params[form]! }) },
  }
}

/** No query parameter is called so. */
const BODY = "\0body"
