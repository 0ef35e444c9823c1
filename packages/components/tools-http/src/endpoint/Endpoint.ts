/** An endpoint as a catalog describes it under `with`: where each param of the tool goes in a request. */
import { authSchema, type Auth } from "../auth/Auth.ts"

export type Place = "path" | "query" | "header" | "cookie" | "body"

/** How a value is written in a URL or header (OpenAPI 3, Style Values). */
export type Style =
  | "simple"
  | "label"
  | "matrix"
  | "form"
  | "spaceDelimited"
  | "pipeDelimited"
  | "deepObject"

export interface Parameter {
  readonly in: Place
  /** Its name in the request; the param's own unless given. */
  readonly name?: string
  readonly style?: Style
  readonly explode?: boolean
  /** Reserved characters of a query value are sent as they are. */
  readonly reserved?: boolean
  /** The value is sent as JSON. */
  readonly json?: boolean
}

export type Paging =
  | { readonly by: "link" }
  | { readonly by: "cursor"; readonly next: string; readonly param: string }
  | { readonly by: "page"; readonly param: string; readonly start?: number }
  | { readonly by: "offset"; readonly param: string; readonly start?: number }

export type Pages = Paging & {
  /** Path of the list in an answer; the answer itself unless given. */
  readonly items?: string
  /** Pages that are read at most. */
  readonly limit?: number
  /** More pages than `limit` are no failure. */
  readonly partial?: boolean
}

export const bodyForms = ["json", "form", "text"] as const
export type BodyForm = (typeof bodyForms)[number]

export interface Endpoint {
  readonly method?: string
  readonly url: string
  readonly query?: { readonly [name: string]: string | number | boolean }
  readonly headers?: { readonly [name: string]: string }
  readonly parameters?: { readonly [param: string]: Parameter }
  readonly body?: BodyForm
  readonly content_type?: string
  readonly auth?: Auth | ReadonlyArray<Auth>
  readonly response?: "json" | "text"
  readonly pages?: Pages
}

export const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const

const scalar = { type: ["string", "number", "boolean"] } as const
const byName = (value: object) => ({ type: "object", additionalProperties: value }) as const
const path = { type: "string", minLength: 1 } as const

const parameter = {
  type: "object",
  properties: {
    in: { enum: ["path", "query", "header", "cookie", "body"], description: "Where it goes." },
    name: { ...path, description: "Its name in the request; the param's own unless written." },
    style: {
      enum: ["simple", "label", "matrix", "form", "spaceDelimited", "pipeDelimited", "deepObject"],
      description: "How lists and objects are written, as in OpenAPI.",
    },
    explode: { type: "boolean", description: "Each item of a list is written by itself." },
    reserved: { type: "boolean", description: "Reserved characters of a query value stay." },
    json: { type: "boolean", description: "The value is written as JSON." },
  },
  required: ["in"],
  additionalProperties: false,
} as const

const pages = {
  type: "object",
  properties: {
    by: {
      enum: ["link", "cursor", "page", "offset"],
      description:
        "How the next page is found: the header `link`, a value of the answer, or a number.",
    },
    param: { ...path, description: "The query parameter with the cursor, page or offset." },
    next: { ...path, description: "Path of the next cursor in the answer: meta.next." },
    start: { type: "integer", description: "The first page or offset; 1 or 0 unless written." },
    items: {
      ...path,
      description: "Path of the list in an answer; the answer itself unless written.",
    },
    limit: {
      type: "integer",
      minimum: 1,
      maximum: 1000,
      description: "Pages that are read at most; 10 unless written.",
    },
    partial: {
      type: "boolean",
      description: "More pages than `limit` are no failure: `complete` is false.",
    },
  },
  required: ["by"],
  additionalProperties: false,
} as const

/** JSON Schema of `with`. */
export const endpointSchema = {
  type: "object",
  properties: {
    method: { enum: methods, description: "GET unless written." },
    url: {
      type: "string",
      minLength: 1,
      description: "The URL; {name} in its path or query is a param.",
    },
    query: { ...byName(scalar), description: "Constant query parameters." },
    headers: { ...byName({ type: "string" }), description: "Constant headers." },
    parameters: {
      ...byName(parameter),
      description:
        "By param of the tool: where it goes, unless in the query of a read and in the body of a write.",
    },
    body: { enum: bodyForms, description: "The form of the body; json unless written." },
    content_type: { ...path, description: "Content type of the body, unless that of its form." },
    auth: authSchema,
    response: {
      enum: ["json", "text"],
      description: "What the answer has to be; by its content type unless written.",
    },
    pages: { ...pages, description: "Reads all pages and gives { items, pages, complete }." },
  },
  required: ["url"],
  additionalProperties: false,
} as const

export const methodOf = ({ method = "GET" }: Endpoint): string => method

/** Whether params without a place go into the body. */
export const hasBody = (endpoint: Endpoint): boolean =>
  ["POST", "PUT", "PATCH"].includes(methodOf(endpoint)) || endpoint.body !== undefined

/** Names of the params in the URL. */
export const placeholders = (url: string): ReadonlyArray<string> =>
  [...url.matchAll(/\{([^{}]*)\}/g)].map(([, name]) => name!)
