/** What `check` finds in an endpoint of a catalog, and what follows from it for the tool. */
import type { Problem, Tool, ValuePath } from "@planloom/plugin/effect"
import { isObject } from "@planloom/schema"
import { AddressGuard } from "../net/AddressGuard.ts"
import { AllowedHosts } from "../net/AllowedHosts.ts"
import { httpConfig } from "./httpConfig.ts"
import { isReading } from "../net/Request.ts"
import { methodOf, placeholders, type Endpoint } from "./Endpoint.ts"
import { headerProblem } from "./headerProblem.ts"

export interface Allowed {
  readonly hosts: ReadonlyArray<string>
  /** Ranges of addresses that are not public and may be connected to. */
  readonly private: ReadonlyArray<string>
  readonly methods: ReadonlyArray<string>
}

/** An entry whose `with` fits the schema of endpoints. */
export const endpointOf = (entry: Tool): Endpoint => entry.with as unknown as Endpoint

export const checkEndpoint = (entry: Tool, allowed: Allowed): ReadonlyArray<Problem> => {
  const { methods } = allowed
  const endpoint = endpointOf(entry)
  const { parameters = {}, url } = endpoint
  const params = propertiesOf(entry)
  const method = methodOf(endpoint)
  const named = placeholders(url)
  const wireNames = new Map(
    Object.entries(parameters).map(([param, { name = param }]) => [name, param]),
  )
  return [
    ...urlProblems(url, allowed),
    ...(methods.includes(method)
      ? []
      : [
          problem(
            "method",
            ["with", "method"],
            `the method ${method} is not in \`methods\` of the plugin's config`,
          ),
        ]),
    ...named.flatMap((name) => {
      const param = wireNames.get(name) ?? name
      if (params === undefined || Object.hasOwn(params, param)) return []
      return [
        problem(
          "params",
          ["with", "url"],
          `the URL needs {${name}}, and the tool has no param "${param}"`,
          `add it to params: { properties: { ${param}: { type: string } }, required: [${param}] }`,
        ),
      ]
    }),
    ...Object.entries(parameters).flatMap(([param, { in: place, name = param }]) => {
      const at = ["with", "parameters", param]
      if (params !== undefined && !Object.hasOwn(params, param)) {
        return [problem("params", at, `the tool has no param "${param}"`)]
      }
      if (place === "path" && !named.includes(name)) {
        return [problem("params", at, `the URL has no {${name}}`)]
      }
      const header = place === "header" ? headerProblem(name) : undefined
      if (header !== undefined) return [problem("header", at, header)]
      return place === "body" && ["GET", "HEAD"].includes(method)
        ? [problem("method", at, `a ${method} request has no body`)]
        : []
    }),
    ...Object.keys(endpoint.headers ?? {}).flatMap((name) => {
      const header = headerProblem(name)
      return header === undefined ? [] : [problem("header", ["with", "headers", name], header)]
    }),
    ...pageProblems(endpoint),
  ]
}

const urlProblems = (
  template: string,
  { hosts, private: ranges }: Allowed,
): ReadonlyArray<Problem> => {
  const at = ["with", "url"]
  // Params stand for any text of the path; the origin is written out.
  const sample = template.replaceAll(/\{[^{}]*\}/g, "x")
  if (!URL.canParse(sample) || /[{}]/.test(sample)) {
    return [
      problem("url", at, `"${template}" is not a URL such as https://api.example.com/items/{id}`),
    ]
  }
  if (/^[a-z]+:\/\/[^/?#]*\{/i.test(template)) {
    return [problem("url", at, "the host of a URL cannot be a param")]
  }
  const url = new URL(sample)
  const wrong = new AllowedHosts(hosts).problem(url)
  const addresses = new AddressGuard(ranges).missing(url.hostname)
  const hidden =
    addresses.length === 0
      ? undefined
      : `${url.hostname} is not a public address, and \`private\` of @planloom/tools-http does not have it`
  const message = wrong ?? hidden
  const config = httpConfig({ hosts: wrong === undefined ? [] : [url], private: addresses })
  return message === undefined
    ? []
    : [problem("host", at, message, `add it in planloom.yaml: ${config}`)]
}

const pageProblems = ({ pages }: Endpoint): ReadonlyArray<Problem> => {
  if (pages === undefined) return []
  const needed = { link: [], cursor: ["param", "next"], page: ["param"], offset: ["param"] }[
    pages.by
  ]
  return needed
    .filter((key) => !Object.hasOwn(pages, key))
    .map((key) => problem("pages", ["with", "pages"], `pages by ${pages.by} need "${key}"`))
}

const codes = {
  url: "HTTP001",
  host: "HTTP002",
  method: "HTTP003",
  params: "HTTP004",
  header: "HTTP005",
  pages: "HTTP006",
} as const

const problem = (
  code: keyof typeof codes,
  at: ValuePath,
  message: string,
  fix?: string,
): Problem => ({
  code: codes[code],
  message,
  at,
  ...(fix === undefined ? {} : { fix }),
})

/** Undefined for a schema that names no properties, which takes any. */
const propertiesOf = ({ params }: Tool): object | undefined => {
  const properties = isObject(params as never)
    ? (params as { properties?: unknown }).properties
    : undefined
  return isObject(properties as never) ? (properties as object) : undefined
}

/** The effect by the method, and the result of a tool that reads pages. */
export const completeEndpoint = (entry: Tool): Partial<Tool> => {
  const endpoint = endpointOf(entry)
  const method = methodOf(endpoint)
  return {
    effect: isReading(method) ? "read" : "write",
    searches: 0,
    idempotent: isReading(method) || method === "PUT" || method === "DELETE",
    ...(endpoint.pages === undefined
      ? {}
      : {
          result: {
            type: "object",
            properties: {
              items: { type: "array" },
              pages: { type: "integer" },
              complete: { type: "boolean" },
            },
            required: ["items", "pages", "complete"],
          },
        }),
  }
}

/** Whether an answer has to be JSON. */
export const wantsJson = ({ pages, response }: Endpoint, { result }: Tool): boolean => {
  if (response !== undefined) return response === "json"
  if (pages !== undefined) return true
  const type = isObject(result as never) ? (result as { type?: unknown }).type : undefined
  return typeof type === "string" && type !== "string"
}
