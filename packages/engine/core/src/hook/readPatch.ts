/** Checks what a hook returned against its point: the fields of a patch, or a finding. */
import {
  hookPoints,
  verdicts,
  type Finding,
  type HookPoint,
  type Json,
  type JsonSchema,
  type PointId,
} from "@planloom/plugin/effect"
import { validatorOf } from "@planloom/schema/ajv"
import { formatIssues } from "@planloom/schema"
import { frozenCopy } from "./frozenCopy.ts"
import type { Draft } from "./HookSite.ts"

export interface PatchRead {
  readonly draft: Draft
  /** Fields whose value differs from the draft's. */
  readonly changed: ReadonlyArray<string>
}

const points = new Map<PointId, HookPoint>(hookPoints.map((point) => [point.id, point]))

/** The draft with all fields of the patch, or the reason why none of them can be used. */
export const readPatch = (id: PointId, draft: Draft, given: unknown): PatchRead | string => {
  if (!isPlainObject(given)) return `it returned ${nounOf(given)} instead of a patch`
  const point = points.get(id)!
  const fields = Object.keys(given).filter((field) => given[field] !== undefined)
  const foreign = fields.find((field) => !point.owns.includes(field))
  if (foreign !== undefined) {
    return point.owns.length === 0
      ? `it returned "${foreign}", but a hook changes nothing at ${id}`
      : `it returned "${foreign}", but a hook may only change ${point.owns.join(", ")} at ${id}`
  }
  const patch: { [field: string]: Json } = {}
  const changed: Array<string> = []
  for (const field of fields) {
    const value = given[field]
    const strange = strangeIn(value)
    if (strange !== undefined) return `its "${field}" contains ${strange}, which is not plain data`
    // The hook may keep what it returned, and change it later.
    const plain = frozenCopy(value as Json)
    const issues = validatorOf(schemaOf(point, field))(plain)
    if (issues.length > 0) return `its "${field}" does not fit: ${formatIssues(issues)}`
    patch[field] = plain
    if (!isSame(plain, draft[field])) changed.push(field)
  }
  return { draft: Object.freeze({ ...draft, ...patch }), changed }
}

/** A finding, or the reason why it cannot be used. */
export const readFinding = (given: unknown): Finding | string => {
  if (!isPlainObject(given)) return `it returned ${nounOf(given)} instead of a finding`
  const issues = validatorOf(findingSchema)(given as Json)
  return issues.length === 0
    ? (given as unknown as Finding)
    : `its finding does not fit: ${formatIssues(issues)}`
}

const text = { type: "string" }
const offset = { type: "integer", minimum: 0 }
const findingSchema: JsonSchema = {
  type: "object",
  properties: {
    verdict: { enum: [...verdicts] },
    confidence: { type: "number", minimum: 0, maximum: 1 },
    reason: text,
    issues: { type: "array", items: text },
    rules: { type: "array", items: text },
    text,
    spans: {
      type: "array",
      items: {
        type: "object",
        properties: { start: offset, end: offset, text },
        required: ["start", "end"],
        additionalProperties: false,
      },
    },
    unjudged: { const: true },
  },
  required: ["verdict", "confidence", "reason"],
  additionalProperties: false,
}

const schemaOf = ({ draft }: HookPoint, field: string): JsonSchema =>
  (draft as { readonly properties: { readonly [name: string]: JsonSchema } }).properties[field]!

const isPlainObject = (given: unknown): given is { readonly [key: string]: unknown } => {
  if (typeof given !== "object" || given === null || Array.isArray(given)) return false
  const prototype: unknown = Object.getPrototypeOf(given)
  return prototype === Object.prototype || prototype === null
}

const nounOf = (given: unknown): string => {
  if (given === null) return "null"
  if (Array.isArray(given)) return "a list"
  if (given instanceof Promise) return "a Promise (return an Effect)"
  return typeof given === "object" ? "an object with a class" : `a ${typeof given}`
}

/** The first part of a value that JSON does not have. */
const strangeIn = (value: unknown): string | undefined => {
  if (typeof value === "number") return Number.isFinite(value) ? undefined : String(value)
  if (typeof value === "string" || typeof value === "boolean" || value === null) return undefined
  if (typeof value !== "object") return value === undefined ? "undefined" : `a ${typeof value}`
  if (!Array.isArray(value) && !isPlainObject(value)) return nounOf(value)
  for (const entry of Object.values(value)) {
    // A member without a value is the same as none.
    if (entry === undefined && !Array.isArray(value)) continue
    const strange = strangeIn(entry)
    if (strange !== undefined) return strange
  }
  return undefined
}

const isSame = (one: Json, other: Json | undefined): boolean =>
  one === other || (typeof one === "object" && JSON.stringify(one) === JSON.stringify(other))
