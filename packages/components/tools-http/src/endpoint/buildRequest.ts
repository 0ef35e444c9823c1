/** The request for a call: params as data in the places that the endpoint names. */
import type { Json, JsonObject } from "@planloom/plugin/effect"
import type { Authentication } from "../auth/Auth.ts"
import { refused } from "../HttpFailed.ts"
import { climbs } from "../net/AllowedHosts.ts"
import type { Request } from "../net/Request.ts"
import { hasBody, methodOf, placeholders, type Endpoint, type Parameter } from "./Endpoint.ts"
import { headerProblem } from "./headerProblem.ts"
import { encode } from "./encode.ts"
import { formText, headerText, pathText, queryPairs, textOf } from "./serialize.ts"

const contentTypes = {
  json: "application/json",
  form: "application/x-www-form-urlencoded",
  text: "text/plain; charset=utf-8",
} as const

/** Fails with `invalid_request` for a value that its place cannot hold. */
export const buildRequest = (endpoint: Endpoint, params: JsonObject): Request => {
  const given = Object.entries(params).map(([param, value]) => ({
    param,
    value,
    parameter: parameterOf(endpoint, param),
  }))
  const at = (place: Parameter["in"]) => given.filter(({ parameter }) => parameter.in === place)
  const headers: { [name: string]: string } = {}
  for (const [name, value] of Object.entries(endpoint.headers ?? {})) {
    headers[name.toLowerCase()] = headerText(name, value, {})
  }
  for (const { param, parameter, value } of at("header")) {
    const { name = param } = parameter
    const problem = headerProblem(name)
    if (problem !== undefined) throw refused(problem)
    if (value !== null) headers[name.toLowerCase()] = headerText(name, value, parameter)
  }
  const cookies = at("cookie").map(
    ({ param, parameter, value }) => `${parameter.name ?? param}=${encode(textOf(value))}`,
  )
  if (cookies.length > 0) headers["cookie"] = cookies.join("; ")
  const { accept = endpoint.response === "text" ? "*/*" : "application/json, */*;q=0.5" } = headers
  const body = bodyOf(endpoint, at("body"))
  return {
    method: methodOf(endpoint),
    url: urlOf(endpoint, at("path"), at("query")),
    headers: {
      accept,
      ...headers,
      ...(body === undefined
        ? {}
        : { "content-type": endpoint.content_type ?? contentTypes[endpoint.body ?? "json"] }),
    },
    ...(body === undefined ? {} : { body }),
  }
}

interface Given {
  readonly param: string
  readonly value: Json
  readonly parameter: Parameter
}

const parameterOf = (endpoint: Endpoint, param: string): Parameter =>
  endpoint.parameters?.[param] ?? {
    in: placeholders(endpoint.url).includes(param) ? "path" : hasBody(endpoint) ? "body" : "query",
  }

/** The request with its authentication. */
export const withAuth = (request: Request, auth: Authentication): Request => {
  const url = new URL(request.url)
  if (auth.query.length > 0) {
    const pairs = auth.query.map(([name, value]) => [encode(name), encode(value)] as const)
    // The URL of a next page may repeat them.
    const others = url.search
      .slice(1)
      .split("&")
      .filter((one) => one !== "" && !pairs.some(([name]) => one.split("=", 1)[0] === name))
    url.search = [...others, ...pairs.map((pair) => pair.join("="))].join("&")
  }
  const { cookie } = request.headers
  const own = auth.headers["cookie"]
  return {
    ...request,
    url,
    authHeaders:
      // A cookie of the authentication stands beside those of params.
      cookie === undefined || own === undefined
        ? auth.headers
        : { ...auth.headers, cookie: `${cookie}; ${own}` },
    secrets: auth.secrets,
  }
}

const urlOf = (
  { query = {}, url: template }: Endpoint,
  path: ReadonlyArray<Given>,
  inQuery: ReadonlyArray<Given>,
): URL => {
  const byName = new Map(path.map((one) => [one.parameter.name ?? one.param, one]))
  const filled = template.replaceAll(/\{([^{}]*)\}/g, (_, name: string) => {
    const one = byName.get(name)
    if (one === undefined || one.value === null) throw refused(`the path needs "${name}"`)
    const text = pathText(name, one.value, one.parameter)
    if (text === "") throw refused(`"${name}" must not be empty: it is part of the path`)
    return text
  })
  const [beforeQuery = "", ...rest] = filled.split("?")
  const pathname = beforeQuery.replace(/^[a-z]+:\/\/[^/]*/i, "")
  // A value may not lead out of the path of the template, also where a server decodes its slashes.
  if (climbs(pathname))
    throw refused("a value of the path must not be or contain the segment . or ..")
  if (!URL.canParse(filled)) throw refused("the URL of the endpoint is not valid")
  const pairs = [
    ...rest.flatMap((text) => text.split("#")[0]!.split("&")).filter((text) => text !== ""),
    ...Object.entries(query).map(([name, value]) => `${encode(name)}=${encode(String(value))}`),
    ...inQuery
      .filter(({ value }) => value !== null)
      .flatMap(({ param, parameter, value }) =>
        queryPairs(parameter.name ?? param, value, parameter),
      )
      .map(([name, value]) => `${name}=${value}`),
  ]
  const url = new URL(beforeQuery)
  url.search = pairs.join("&")
  return url
}

const bodyOf = (endpoint: Endpoint, given: ReadonlyArray<Given>): string | undefined => {
  if (given.length === 0) return undefined
  // A param that is placed in the body by the endpoint is the whole body.
  const whole = given.find(
    ({ param }) =>
      endpoint.parameters?.[param]?.in === "body" && endpoint.parameters[param]?.name === undefined,
  )
  if (whole !== undefined && given.length > 1) {
    throw refused(`"${whole.param}" is the whole body, so no other param can be part of it`)
  }
  const value: Json =
    whole === undefined
      ? Object.fromEntries(
          given.map(({ param, parameter, value: field }) => [parameter.name ?? param, field]),
        )
      : whole.value
  switch (endpoint.body ?? "json") {
    case "json":
      return JSON.stringify(value)
    case "form":
      return formText(value)
    case "text":
      return textOf(value)
  }
}
