/** One operation of a document as a tool of a catalog. */
import type { JsonObject, JsonSchema } from "@planloom/plugin/effect"
import { schemaProblems } from "@planloom/schema"
import { placeholders, type Endpoint } from "../endpoint/Endpoint.ts"
import { ImportRejected, type ImportOptions } from "./ImportOptions.ts"
import { readParameters, Unsupported } from "./readParameters.ts"
import { readResult } from "./readResult.ts"
import { readSecurity } from "./readSecurity.ts"
import { readServer } from "./readServer.ts"
import { below, entriesOf, itemsOf, textAt, type Part, type Spec } from "./Spec.ts"
import { firstSentences, snakeName } from "./words.ts"

export interface Operation {
  /** `/pets/{id}`. */
  readonly path: string
  readonly item: Part
  readonly method: string
  readonly operation: Part
}

const nameOf = ({ method, operation, path }: Operation): string =>
  snakeName(textAt(operation, "operationId") ?? `${method} ${path}`)

const tagsOf = ({ operation }: Operation): ReadonlyArray<string> =>
  itemsOf(below(operation, "tags")).map(({ value }) => String(value))

/** Whether one of its tags, its id or the name of its tool is listed. */
export const isIncluded = (one: Operation, { include = [] }: ImportOptions): boolean => {
  const id = textAt(one.operation, "operationId") ?? ""
  return (
    include.length === 0 || [id, nameOf(one), ...tagsOf(one)].some((word) => include.includes(word))
  )
}

/** Undefined for an operation that cannot be called, which is reported. */
export const operationTool = (
  spec: Spec,
  one: Operation,
  { baseUrl, name: catalog, untyped = false, url }: ImportOptions & { readonly name: string },
): JsonObject | undefined => {
  const { item, method, operation, path } = one
  const leftOut = (at: Part, message: string): undefined => {
    spec.skip(at, `${message}; the operation ${method} ${path} is left out`)
  }
  if (method === "TRACE") return leftOut(operation, "the method TRACE is not supported")
  const server = baseUrl?.replace(/\/+$/, "") ?? readServer(spec, [operation, item], url)
  if (server === undefined) {
    throw new ImportRejected(
      "the document names no whole URL of a server; name it with --base-url",
      ["servers"],
    )
  }
  for (const [, part] of entriesOf(below(operation, "callbacks"))) {
    spec.skip(part, "callbacks are not imported")
  }
  try {
    const { params, ...places } = readParameters(spec, item, operation, method, placeholders(path))
    const { response, result } = untyped ? {} : readResult(spec, operation)
    const auth = readSecurity(spec, operation, catalog)
    const endpoint = {
      ...(method === "GET" ? {} : { method }),
      url: `${server}${path}`,
      ...(Object.keys(places.parameters).length === 0 ? {} : { parameters: places.parameters }),
      ...(places.body === undefined ? {} : { body: places.body }),
      ...(places.content_type === undefined ? {} : { content_type: places.content_type }),
      ...(auth === undefined ? {} : { auth: auth.length === 1 ? auth[0]! : auth }),
      ...(response === undefined ? {} : { response }),
    } satisfies Endpoint
    const [tag] = tagsOf(one)
    const details = textAt(operation, "description")
    const summary = textAt(operation, "summary") ?? details ?? `${method} ${path}`
    const isDeprecated = below(operation, "deprecated").value === true
    const wrong = invalidity(params)
    if (wrong !== undefined)
      return leftOut(operation, `the schema of its params is not valid (${wrong})`)
    const wrongAnswer = result === undefined ? undefined : invalidity(result)
    if (wrongAnswer !== undefined) {
      spec.skip(
        operation,
        `the schema of its answer is not valid (${wrongAnswer}); the answer is not checked`,
      )
    }
    return JSON.parse(
      JSON.stringify({
        name: nameOf(one),
        summary: `${isDeprecated ? "Deprecated. " : ""}${firstSentences(summary, 160)}`,
        ...(tag === undefined ? {} : { group: snakeName(tag) }),
        ...(details === undefined || details === summary
          ? {}
          : { when_to_use: firstSentences(details, 300) }),
        source: "http",
        with: endpoint,
        params,
        ...(result === undefined || wrongAnswer !== undefined ? {} : { result }),
      }),
    ) as JsonObject
  } catch (error) {
    if (!(error instanceof Unsupported)) throw error
    return leftOut(error.at, error.message)
  }
}

/** The first problem of a schema, which comes from an invalid document. */
const invalidity = (schema: JsonSchema): string | undefined => {
  const [problem] = schemaProblems(schema)
  return problem === undefined ? undefined : `${problem.path.join(".")}: ${problem.message}`
}
