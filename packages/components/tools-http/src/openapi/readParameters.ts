/** Parameters and request body of an operation as params of a tool, and where each goes. */
import type { JsonSchema } from "@planloom/plugin/effect"
import { headerProblem } from "../endpoint/headerProblem.ts"
import type { BodyForm, Parameter, Place, Style } from "../endpoint/Endpoint.ts"
import { SchemaReader } from "./SchemaReader.ts"
import { below, entriesOf, itemsOf, objectOf, textAt, type Part, type Spec } from "./Spec.ts"
import { firstSentences, paramName } from "./words.ts"

export interface ReadParameters {
  /** JSON Schema of the tool's params. */
  readonly params: JsonSchema
  readonly parameters: { readonly [param: string]: Parameter }
  readonly body?: BodyForm
  readonly content_type?: string
}

/** Why an operation cannot be called. */
export class Unsupported extends Error {
  readonly at: Part

  constructor(at: Part, message: string) {
    super(message)
    this.at = at
  }
}

const places = ["path", "query", "header", "cookie"] as const

/** Set by the request itself, whatever a document says of them (OpenAPI 3, Parameter Object). */
const ignoredHeaders = new Set(["accept", "content-type", "authorization"])

const defaultStyles = { path: "simple", query: "form", header: "simple", cookie: "form" } as const

/** Throws `Unsupported` for a required part that cannot be sent. */
export const readParameters = (
  spec: Spec,
  item: Part,
  operation: Part,
  method: string,
  urlNames: ReadonlyArray<string>,
): ReadParameters => {
  const reader = new SchemaReader(spec, "request")
  const properties: { [param: string]: unknown } = {}
  const required: Array<string> = []
  const parameters: { [param: string]: Parameter } = {}
  const takesBody = ["POST", "PUT", "PATCH"].includes(method)
  for (const part of declared(spec, item, operation)) {
    const read = readParameter(spec, reader, part)
    if (read === undefined) continue
    const { parameter, schema, wireName } = read
    const param = unusedName(paramName(wireName), parameter.in, properties)
    properties[param] = schema
    if (below(part, "required").value === true || parameter.in === "path") required.push(param)
    const { name: _, ...rest } = parameter
    const placed = { ...rest, ...(param === wireName ? {} : { name: wireName }) }
    if (!isUsual(placed, takesBody)) parameters[param] = placed
  }
  const inPath = new Set(
    [...declared(spec, item, operation)]
      .filter((part) => below(part, "in").value === "path")
      .map((part) => textAt(part, "name")),
  )
  for (const name of urlNames) {
    if (inPath.has(name)) continue
    spec.skip(
      operation,
      `the path has {${name}}, which no parameter describes; it is taken as a text`,
    )
    properties[name] = { type: "string" }
    required.push(name)
  }
  const body = readBody(spec, reader, operation, method)
  if (body !== undefined) {
    const param = unusedName("body", "body", properties)
    properties[param] = body.schema
    if (body.isRequired) required.push(param)
    parameters[param] = { in: "body" }
  }
  return {
    params: reader.complete({
      type: "object",
      properties,
      ...(required.length === 0 ? {} : { required }),
      additionalProperties: false,
    }),
    parameters,
    ...(body === undefined || body.form === "json" ? {} : { body: body.form }),
    ...(body?.contentType === undefined ? {} : { content_type: body.contentType }),
  }
}

/** Those of the operation take the place of those of its path, by name and location. */
const declared = (spec: Spec, item: Part, operation: Part): Iterable<Part> => {
  const found = new Map<string, Part>()
  for (const owner of [item, operation]) {
    for (const part of itemsOf(below(owner, "parameters"))) {
      const followed = spec.follow(part)
      if (followed === undefined) continue
      found.set(`${textAt(followed, "in")} ${textAt(followed, "name")}`, followed)
    }
  }
  return found.values()
}

const readParameter = (spec: Spec, reader: SchemaReader, part: Part) => {
  const wireName = textAt(part, "name")
  const place = places.find((one) => one === below(part, "in").value)
  const refuse = (message: string): undefined => {
    if (below(part, "required").value === true || place === "path")
      throw new Unsupported(part, message)
    spec.skip(part, `${message}; the parameter is left out`)
    return undefined
  }
  if (wireName === undefined || place === undefined)
    return refuse("is not a parameter with `name` and `in`")
  if (place === "header") {
    if (ignoredHeaders.has(wireName.toLowerCase())) return undefined
    const problem = headerProblem(wireName)
    if (problem !== undefined) return refuse(problem)
  }
  const type = objectOf(spec.follow(below(part, "schema")) ?? part)["type"]
  if (place === "cookie" && (type === "array" || type === "object")) {
    return refuse(`a cookie that is ${type === "array" ? "a list" : "an object"} is not supported`)
  }
  const content = entriesOf(below(part, "content"))[0]
  if (content !== undefined && !isJson(content[0])) {
    return refuse(`a parameter of the type ${content[0]} is not supported`)
  }
  const json = content !== undefined
  const schemaPart = json ? below(content[1], "schema") : below(part, "schema")
  const schema = schemaPart.value === undefined ? true : reader.read(schemaPart)
  const parameter = { in: place as Place, ...(json ? { json } : styleOf(part, place)) }
  return { wireName, parameter: parameter as Parameter, schema: described(schema, part) }
}

/** Without what is the default of its place. */
const styleOf = (part: Part, place: (typeof places)[number]) => {
  const { allowReserved, explode, style } = objectOf(part)
  const usual = defaultStyles[place]
  const chosen = (typeof style === "string" ? style : usual) as Style
  return {
    ...(chosen === usual ? {} : { style: chosen }),
    ...(typeof explode === "boolean" && explode !== (chosen === "form") ? { explode } : {}),
    ...(allowReserved === true && place === "query" ? { reserved: true } : {}),
  }
}

/** Whether the endpoint would place the param so by itself. */
const isUsual = (parameter: Parameter, takesBody: boolean): boolean =>
  Object.keys(parameter).length === 1 &&
  (parameter.in === "path" || (parameter.in === "query" && !takesBody))

const described = (schema: unknown, part: Part): unknown => {
  const description = textAt(part, "description")
  if (description === undefined) return schema
  const text = { description: firstSentences(description, 200) }
  if (typeof schema === "boolean") return text
  return "$ref" in (schema as object)
    ? { allOf: [schema], ...text }
    : { ...(schema as object), ...text }
}

const unusedName = (wanted: string, place: string, taken: object): string => {
  if (!Object.hasOwn(taken, wanted)) return wanted
  let name = `${wanted}_${place}`
  for (let n = 2; Object.hasOwn(taken, name); n++) name = `${wanted}_${place}_${n}`
  return name
}

export const isJson = (type: string): boolean =>
  /^(application|text)\/json(;|$)|\+json(;|$)|^\*\/\*$/i.test(type.trim())

const readBody = (spec: Spec, reader: SchemaReader, operation: Part, method: string) => {
  const written = below(operation, "requestBody")
  if (written.value === undefined) return undefined
  const part = spec.follow(written)
  if (part === undefined) return undefined
  if (method === "GET" || method === "HEAD") {
    spec.skip(part, `a ${method} request has no body; it is left out`)
    return undefined
  }
  const contents = entriesOf(below(part, "content"))
  const isRequired = below(part, "required").value === true
  for (const [form, fits] of forms) {
    const found = contents.find(([type]) => fits(type))
    if (found === undefined) continue
    const [type, content] = found
    reportEncoding(spec, content)
    const schema = below(content, "schema")
    const hasUsualType =
      type === "application/json" || type === "*/*" || type === "application/x-www-form-urlencoded"
    return {
      form,
      isRequired,
      contentType: hasUsualType ? undefined : type,
      schema: described(schema.value === undefined ? true : reader.read(schema), part),
    }
  }
  if (contents.length === 0) return undefined
  const message = `a body of the type ${contents.map(([type]) => type).join(", ")} is not supported`
  if (isRequired) throw new Unsupported(below(part, "content"), message)
  spec.skip(below(part, "content"), `${message}; it is left out`)
  return undefined
}

const forms: ReadonlyArray<readonly [BodyForm, (type: string) => boolean]> = [
  ["json", isJson],
  ["form", (type) => /^application\/x-www-form-urlencoded/i.test(type)],
  ["text", (type) => /^text\/|^application\/(xml|x-ndjson)|\+xml$/i.test(type)],
]

const reportEncoding = (spec: Spec, content: Part): void => {
  for (const [name, encoding] of entriesOf(below(content, "encoding"))) {
    const { style, explode } = objectOf(encoding)
    if ((style !== undefined && style !== "form") || explode === false) {
      spec.skip(
        encoding,
        `the field "${name}" of a form is written with the style form; its own is not supported`,
      )
    }
  }
}
