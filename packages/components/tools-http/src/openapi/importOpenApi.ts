/** An OpenAPI 3.0 or 3.1 document → a catalog whose tools are its operations. */
import type { Json, JsonObject } from "@planloom/plugin/effect"
import { isObject } from "@planloom/schema"
import { secretsOf as secretsIn } from "../auth/Auth.ts"
import { methods, type Endpoint } from "../endpoint/Endpoint.ts"
import { configForHosts } from "../endpoint/httpConfig.ts"
import { ImportRejected, type ImportOptions } from "./ImportOptions.ts"
import { isIncluded, operationTool } from "./operationTool.ts"
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

export interface Imported {
  readonly name: string
  /** The file's content. */
  readonly catalog: JsonObject
  readonly skipped: ReadonlyArray<Skipped>
  readonly operations: { readonly imported: number; readonly all: number }
  /** Names of the secrets that its tools send. */
  readonly secrets: ReadonlyArray<string>
  /** The settings of planloom.yaml that its requests need. */
  readonly config: string
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
      const one = { path, item: followed, method: method.toUpperCase(), operation }
      if (!isIncluded(one, options)) continue
      all++
      const made = operationTool(spec, one, { ...options, name })
      if (made === undefined) continue
      tools.push(withUnusedName(spec, operation, made, names))
    }
  }
  for (const [, part] of entriesOf(below(spec.root, "webhooks"))) {
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
    config: configForHosts(tools.map(urlOf)),
  }
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
  [endpointIn(tool).auth ?? []].flat().flatMap(secretsIn)

const urlOf = (tool: JsonObject): URL => new URL(endpointIn(tool).url.replaceAll(/[{}]/g, "x"))
