/** The expressions of tools, compiled once: `normalize` and `defaults` change params before a call, `requires` permits it, `summarize`, `notes` and `entities` read its result. */
import type { Entity, Json, JsonObject, Requirement, Tool } from "@planloom/plugin/effect"
import { compileExpression, ExpressionFailed, type CompiledExpression } from "@planloom/expression"
import { isObject } from "@planloom/schema"
import { oneLine, summaryOf } from "./summaryOf.ts"

/** An expression of a tool that failed; what it would have changed stays as it was. */
export interface ExpressionFault {
  /** `summarize`, or `normalize.city`. */
  readonly key: string
  readonly message: string
}

interface Compiled {
  readonly normalize: ReadonlyArray<readonly [param: string, expression: Evaluate]>
  readonly defaults: ReadonlyArray<readonly [param: string, expression: Evaluate]>
  readonly summarize: Evaluate | undefined
  readonly notes: Evaluate | undefined
  readonly entities: ReadonlyArray<readonly [type: string, expression: Evaluate]>
  readonly requires: ReadonlyArray<readonly [requirement: Requirement, that: Evaluate]>
}

type Evaluate = CompiledExpression["evaluate"]

const known = new WeakMap<Tool, Compiled>()

const compiled = (tool: Tool): Compiled => {
  let made = known.get(tool)
  if (made === undefined) {
    made = {
      normalize: evaluators(tool.normalize),
      defaults: evaluators(tool.defaults),
      summarize: tool.summarize === undefined ? undefined : evaluator(tool.summarize),
      notes: tool.notes === undefined ? undefined : evaluator(tool.notes),
      entities: evaluators(tool.entities),
      requires: (tool.requires ?? []).map((one) => [one, evaluator(one.that)] as const),
    }
    known.set(tool, made)
  }
  return made
}

const evaluators = (texts: { readonly [name: string]: string } = {}) =>
  Object.entries(texts).map(([name, text]): readonly [string, Evaluate] => [name, evaluator(text)])

/** A text that is no expression fails when it is evaluated. */
const evaluator = (text: string): Evaluate => {
  try {
    return compileExpression(text).evaluate
  } catch (error) {
    return () => {
      throw error
    }
  }
}

const attempt = (
  evaluate: Evaluate,
  scope: JsonObject,
  key: string,
): { readonly value: Json } | { readonly fault: ExpressionFault } => {
  try {
    return { value: evaluate(scope) }
  } catch (error) {
    if (!(error instanceof ExpressionFailed)) throw error
    return { fault: { key, message: error.message } }
  }
}

const noFaults: ReadonlyArray<ExpressionFault> = []

/** Replaces given params by their normal values. Each expression reads the params as given. */
export const normalizeParams = (
  tool: Tool,
  params: JsonObject,
  faults: Array<ExpressionFault>,
): JsonObject => {
  if (tool.normalize === undefined) return params
  const changed: { [param: string]: Json } = { ...params }
  for (const [param, evaluate] of compiled(tool).normalize) {
    if (!Object.hasOwn(params, param)) continue
    const made = attempt(evaluate, { params }, `normalize.${param}`)
    if ("fault" in made) faults.push(made.fault)
    else changed[param] = made.value
  }
  return changed
}

/** The values that defaults of tools read besides the params. */
export interface DefaultsScope {
  /** Of the workflow. */
  readonly inputs: JsonObject
  readonly session: JsonObject
  readonly user: JsonObject
}

/** Fills params that are left out, in the order of the defaults: each reads those that are filled before it. */
export const fillParams = (
  tool: Tool,
  params: JsonObject,
  { inputs, session, user }: DefaultsScope,
  faults: Array<ExpressionFault>,
): JsonObject => {
  if (tool.defaults === undefined) return params
  const filled: { [param: string]: Json } = { ...params }
  for (const [param, evaluate] of compiled(tool).defaults) {
    if (Object.hasOwn(filled, param)) continue
    const made = attempt(evaluate, { inputs, session, user, params: filled }, `defaults.${param}`)
    if ("fault" in made) faults.push(made.fault)
    else if (made.value !== null) filled[param] = made.value
  }
  return filled
}

/** The first condition of a call that is not true; `fault` says why it has no value. */
export const unmetRequirement = (
  tool: Tool,
  scope: JsonObject,
): { readonly requirement: Requirement; readonly fault?: string } | undefined => {
  for (const [requirement, evaluate] of compiled(tool).requires) {
    const made = attempt(evaluate, scope, "requires")
    if ("fault" in made) return { requirement, fault: made.fault.message }
    if (made.value !== true) return { requirement }
  }
  return undefined
}

/** One line on a result: the tool's own, or a general one. */
export const summarize = (
  tool: Tool | undefined,
  params: JsonObject,
  result: Json,
): { readonly summary: string; readonly fault: ExpressionFault | undefined } => {
  const evaluate = tool?.summarize === undefined ? undefined : compiled(tool).summarize
  if (evaluate === undefined) return { summary: summaryOf(result), fault: undefined }
  const made = attempt(evaluate, { params, result }, "summarize")
  if ("fault" in made) return { summary: summaryOf(result), fault: made.fault }
  return typeof made.value === "string"
    ? { summary: oneLine(made.value), fault: undefined }
    : {
        summary: summaryOf(result),
        fault: { key: "summarize", message: "its value is not a text" },
      }
}

/** Notes of a call that are kept; a tool that has more to say has it in its result. */
const MAX_NOTES = 20

const noNotes = { notes: [], fault: undefined }

/** Texts that a reader of a result must know, each once and in one line. */
export const notesOf = (
  tool: Tool | undefined,
  params: JsonObject,
  result: Json,
): { readonly notes: ReadonlyArray<string>; readonly fault: ExpressionFault | undefined } => {
  const evaluate = tool?.notes === undefined ? undefined : compiled(tool).notes
  if (evaluate === undefined) return noNotes
  const made = attempt(evaluate, { params, result }, "notes")
  if ("fault" in made) return { notes: [], fault: made.fault }
  const { value } = made
  if (value === null) return { notes: [], fault: undefined }
  if (!Array.isArray(value) || !value.every((one) => typeof one === "string")) {
    return { notes: [], fault: { key: "notes", message: "its value is no list of texts" } }
  }
  const lines = [...new Set(value.map((text) => oneLine(text)))].filter((line) => line !== "")
  return { notes: lines.slice(0, MAX_NOTES), fault: undefined }
}

const noEntities = { entities: [], faults: noFaults }

/** The things that a result is about, each once. */
export const entitiesOf = (
  tool: Tool | undefined,
  params: JsonObject,
  result: Json,
): {
  readonly entities: ReadonlyArray<Entity>
  readonly faults: ReadonlyArray<ExpressionFault>
} => {
  if (tool?.entities === undefined) return noEntities
  const entities = new Map<string, Entity>()
  const faults: Array<ExpressionFault> = []
  for (const [type, evaluate] of compiled(tool).entities) {
    const key = `entities.${type}`
    const made = attempt(evaluate, { params, result }, key)
    if ("fault" in made) {
      faults.push(made.fault)
      continue
    }
    for (const given of Array.isArray(made.value)
      ? (made.value as ReadonlyArray<Json>)
      : [made.value]) {
      const entity = entityOf(type, given)
      if (entity !== undefined) entities.set(`${type} ${entity.id}`, entity)
      else if (given !== null) {
        faults.push({ key, message: "its value is no id and has no id" })
      }
    }
  }
  return { entities: [...entities.values()], faults }
}

const entityOf = (type: string, given: Json): Entity | undefined => {
  if (typeof given === "string" || typeof given === "number") {
    return { type, id: String(given), name: String(given) }
  }
  if (!isObject(given)) return undefined
  const { id, name } = given
  if (typeof id !== "string" && typeof id !== "number") return undefined
  return { type, id: String(id), name: typeof name === "string" ? oneLine(name) : String(id) }
}
