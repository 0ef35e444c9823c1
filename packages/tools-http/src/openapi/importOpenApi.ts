/** An OpenAPI 3.0 or 3.1 document → a catalog whose tools are its operations. */
import type { Json, JsonObject, Tool } from "@planloom/plugin/effect"
import { isObject, schemaProblems } from "@planloom/schema"
import type { Auth } from "../auth/Auth.ts"
import { methods, placeholders, type Endpoint } from "../endpoint/Endpoint.ts"
import { readParameters, Unsupported } from "./readParameters.ts"
import { readResult } from "./readResult.ts"
import { readSecurity } from "./readSecurity.ts"
import { readServer } from "./readServer.ts"
import {
  below,
  entriesOf,
  itemsOf,
  objectOf,
  Spec,
  textAt,
  type Part,
  type Skipped,
} from "./Spec.ts"
import { firstSentences, snakeName } from "./words.ts"

export interface ImportOptions {
  /** Name of the catalog; that of the document's title unless given. */
  readonly name?: string | undefined
  /** In place of the document's servers. */
  readonly baseUrl?: string | undefined
  /** URL of the document, if it has one. */
  readonly url?: string | undefined
  /** Tags, operation ids and names of tools; all operations unless given. */
  readonly include?: ReadonlyArray<string>
  /** Leaves out the schemas of answers. */
  readonly untyped?: boolean
  /** How the catalog names the document. */
  readonly source: string
}

export interface Imported {
  readonly name: string
  /** The file's content. */
  readonly catalog: JsonObject
  readonly skipped: ReadonlyArray<Skipped>
  readonly operations: { readonly imported: number; readonly all: number }
  /** Names of the secrets that its tools send. */
  readonly secrets: ReadonlyArray<string>
  /** As the plugin's config lists them. */
  readonly hosts: ReadonlyArray<string>
}

/** The document cannot be imported at all. */
export class ImportRejected extends Error {
  readonly at: Skipped["path"]

  constructor(message: string, at: Skipped["path"] = []) {
    super(message)
    this.at = at
  }
}

const httpMethods = new Set([...methods.map((method) => method.toLowerCase()), "trace"])

export const importOpenApi = (document: Json, options: ImportOptions): Imported => {
  const spec = new Spec(document)
  const version = textAt(spec.root, "openapi")
  if (version === undefined || !/^3\.[01](\.|$)/.test(version)) {
    const { swagger } = objectOf(spec.root)
    throw new ImportRejected(
      swagger === undefined
        ? `it is not an OpenAPI document of version 3.0 or 3.1${version === undefined ? "" : `, but ${version}`}`
        : `it has version ${String(swagger)}: convert it to OpenAPI 3 first`,
      version === undefined ? [] : ["openapi"],
    )
  }
  const info = below(spec.root, "info")
  const title = textAt(info, "title") ?? "api"
  const name = options.name ?? snakeName(title)
  const tools: Array<JsonObject> = []
  const names = new Set<string>()
  let all = 0
  for (const [path, item] of entriesOf(below(spec.root, "paths"))) {
    const followed = spec.follow(item)
    if (followed === undefined || !path.startsWith("/")) continue
    for (const [method, operation] of entriesOf(followed)) {
      if (!httpMethods.has(method) || !isObject(operation.value as never)) continue
      const made = toolOf(
        spec,
        { path, item: followed, method: method.toUpperCase(), operation },
        { ...options, name },
      )
      if (made === "excluded") continue
      all++
      if (made === undefined) continue
      tools.push(withUnusedName(spec, operation, made, names))
    }
  }
  for (const key of ["webhooks"]) {
    for (const [, part] of entriesOf(below(spec.root, key)))
      spec.skip(part, "webhooks are not imported")
  }
  const groups = groupsOf(spec, tools)
  const description = textAt(info, "description")
  return {
    name,
    catalog: {
      apiVersion: "planloom/v1",
      kind: "Catalog",
      name,
      description: `${firstSentences(title, 100)}${description === undefined ? "" : `. ${firstSentences(description, 200)}`}`,
      "x-openapi": { source: options.source, version: textAt(info, "version") ?? "" },
      ...(Object.keys(groups).length === 0 ? {} : { groups }),
      tools,
    },
    skipped: spec.skipped,
    operations: { imported: tools.length, all },
    secrets: [...new Set(tools.flatMap(secretsOf))],
    hosts: [...new Set(tools.map(hostOf))],
  }
}

interface Operation {
  /** `/pets/{id}`. */
  readonly path: string
  readonly item: Part
  readonly method: string
  readonly operation: Part
}

/** Undefined for an operation that cannot be called, which is reported. */
const toolOf = (
  spec: Spec,
  { item, method, operation, path }: Operation,
  {
    baseUrl,
    include = [],
    name: catalog,
    source: _,
    untyped = false,
    url,
  }: ImportOptions & { readonly name: string },
): JsonObject | "excluded" | undefined => {
  const id = textAt(operation, "operationId")
  const name = snakeName(id ?? `${method} ${path}`)
  const tags = itemsOf(below(operation, "tags")).map(({ value }) => String(value))
  if (
    include.length > 0 &&
    ![id, name, ...tags].some((one) => one !== undefined && include.includes(one))
  ) {
    return "excluded"
  }
  if (method === "TRACE")
    return spec.skip(
      operation,
      "the method TRACE is not supported; the operation is left out",
    ) as undefined
  const server = baseUrl?.replace(/\/+$/, "") ?? readServer(spec, [operation, item], url)
  if (server === undefined) {
    throw new ImportRejected(
      "the document names no whole URL of a server; name it with --base-url",
      ["servers"],
    )
  }
  for (const [, part] of entriesOf(below(operation, "callbacks")))
    spec.skip(part, "callbacks are not imported")
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
    const [tag] = tags
    const details = textAt(operation, "description")
    const summary = textAt(operation, "summary") ?? details ?? `${method} ${path}`
    const isDeprecated = below(operation, "deprecated").value === true
    const usable = result === undefined || isUsable(spec, operation, result, "answer")
    if (!isUsable(spec, operation, params, "params")) return undefined
    return JSON.parse(
      JSON.stringify({
        name,
        summary: `${isDeprecated ? "Deprecated. " : ""}${firstSentences(summary, 160)}`,
        ...(tag === undefined ? {} : { group: snakeName(tag) }),
        ...(details === undefined || details === summary
          ? {}
          : { when_to_use: firstSentences(details, 300) }),
        source: "http",
        with: endpoint,
        params,
        ...(result === undefined || !usable ? {} : { result }),
      }),
    ) as JsonObject
  } catch (error) {
    if (!(error instanceof Unsupported)) throw error
    spec.skip(error.at, `${error.message}; the operation ${method} ${path} is left out`)
    return undefined
  }
}

/** Whether a schema is valid; one that is not comes from an invalid document. */
const isUsable = (
  spec: Spec,
  operation: Part,
  schema: Tool["params"],
  what: "params" | "answer",
): boolean => {
  const [problem] = schemaProblems(schema)
  if (problem === undefined) return true
  spec.skip(
    operation,
    `the schema of its ${what} is not valid (${problem.path.join(".")}: ${problem.message}); ${what === "params" ? "the operation is left out" : "its answer is not checked"}`,
  )
  return false
}

const withUnusedName = (
  spec: Spec,
  operation: Part,
  tool: JsonObject,
  names: Set<string>,
): JsonObject => {
  const wanted = String(tool["name"])
  let name = wanted
  for (let n = 2; names.has(name); n++) name = `${wanted.slice(0, 60)}_${n}`
  if (name !== wanted)
    spec.skip(
      operation,
      `the name "${wanted}" is taken by another operation; its tool is "${name}"`,
    )
  names.add(name)
  return { ...tool, name }
}

const groupsOf = (
  spec: Spec,
  tools: ReadonlyArray<JsonObject>,
): { readonly [group: string]: string } => {
  const used = new Set(tools.map(({ group }) => group))
  return Object.fromEntries(
    itemsOf(below(spec.root, "tags")).flatMap((tag) => {
      const group = snakeName(textAt(tag, "name") ?? "")
      const description = textAt(tag, "description")
      return description === undefined || !used.has(group)
        ? []
        : [[group, firstSentences(description, 160)]]
    }),
  )
}

const endpointIn = (tool: JsonObject): Endpoint => tool["with"] as unknown as Endpoint

const secretsOf = (tool: JsonObject): ReadonlyArray<string> =>
  [endpointIn(tool).auth ?? []]
    .flat()
    .flatMap((auth: Auth) =>
      "bearer" in auth
        ? [auth.bearer]
        : "basic" in auth
          ? [auth.basic.user, auth.basic.password]
          : [auth.secret],
    )

const hostOf = (tool: JsonObject): string => {
  const { host, protocol } = new URL(endpointIn(tool).url.replaceAll(/[{}]/g, "x"))
  return protocol === "https:" ? host : `${protocol}//${host}`
}
