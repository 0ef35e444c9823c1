/** Fits objects: matches members to properties, drops disallowed members, reports missing ones. */
import { linearPattern } from "@planloom/schema"
import { isMissing, type Node, setMember } from "../read/Node.ts"
import type { JsonObject, Schema } from "../Salvage.ts"
import { COST, type Fit, fits, mismatch, type Note, type Problem } from "./Fit.ts"
import { push } from "./fitArray.ts"
import { fitEncoded } from "./fitEncoded.ts"
import { fillMembers } from "./fillMembers.ts"
import { fitPositional } from "./fitPositional.ts"
import type { FitContext, NameTable } from "./FitContext.ts"
import { foldName, foldText } from "./fold.ts"
import type { ObjectSchema } from "./Schema.ts"

export const fitObject = (fitter: FitContext, node: Node, schema: ObjectSchema): Fit => {
  if (node.kind === "object") return fitMembers(fitter, node, schema)
  if (fitter.partial && !node.closed) return fits(undefined)
  const named =
    node.kind === "array" && fitter.recovery.positional === true
      ? fitPositional(fitter, node, schema)
      : undefined
  if (named !== undefined) return named
  const inner = node.kind === "string" ? fitEncoded(fitter, node, schema, false) : undefined
  return inner ?? mismatch(node, "must be an object")
}

const fitMembers = (fitter: FitContext, node: Node, schema: ObjectSchema): Fit => {
  const value: JsonObject = {}
  const notes: Array<Note> = []
  const problems: Array<Problem> = []
  let cost = 0
  const names = propertyNames(fitter, node, schema)
  const properties = schema.properties ?? {}
  for (const [slot, item] of node.items.entries()) {
    const name = names[slot]!
    const known = name !== undefined && Object.hasOwn(properties, name)
    const rule: Schema =
      name === undefined ? false : known ? properties[name]! : ruleOfOther(schema, name)
    if (name === undefined || (!known && rule === false)) {
      notes.push({ kind: "dropped_member", node: item, detail: node.keys[slot]! })
      cost += COST.dropped
      continue
    }
    if (!known && schema.properties !== undefined) cost += COST.extra
    if (name !== node.keys[slot]) {
      notes.push({ kind: "key", node: item, detail: `${node.keys[slot]!} → ${name}` })
      cost += COST.name
    }
    const fit = fitter.fit(item, rule)
    if (isMissing(item) && fit.problems.length > 0) continue
    if (fit.problems.length > 0 && isNull(item) && schema.required?.includes(name) !== true) {
      // Null for an optional member means that it is absent.
      notes.push({ kind: "dropped_member", node: item, detail: node.keys[slot]! })
      cost += COST.scalar
      continue
    }
    cost += fit.cost
    push(notes, fit.notes)
    push(problems, fit.problems)
    if (fit.value !== undefined) setMember(value, name, fit.value)
  }
  if (!fitter.partial) {
    const failed = new Set(names.filter((_name, slot) => !isMissing(node.items[slot]!)))
    cost += fillMembers(fitter, node, schema, value, failed, notes)
    for (const name of schema.required ?? []) {
      if (Object.hasOwn(value, name) || failed.has(name)) continue
      problems.push({ message: `lacks the required member ${JSON.stringify(name)}`, node })
      cost += COST.problem
    }
  }
  return { value, cost, notes, problems }
}

const isNull = ({ kind, value }: Node): boolean => kind === "literal" && value === null

const ruleOfOther = (schema: ObjectSchema, name: string): Schema => {
  for (const [pattern, rule] of Object.entries(schema.patternProperties ?? {})) {
    if (linearPattern(pattern).test(name)) return rule
  }
  return schema.additionalProperties ?? true
}

const nameTable = (
  allowed: ReadonlyArray<string>,
  properties: ObjectSchema["properties"],
): NameTable => {
  const aliases = new Map<string, string>()
  const replaced = new Set<string>()
  for (const name of allowed) {
    const property =
      properties !== undefined && Object.hasOwn(properties, name) ? properties[name] : undefined
    const alias = typeof property === "object" ? property["x-alias"] : undefined
    if (typeof alias === "string" && alias !== name) {
      aliases.set(alias, name)
      replaced.add(name)
    }
  }
  const own = new Set(allowed.filter((name) => !replaced.has(name)))
  return { own, aliases, replaced, folded: foldedNames(allowed, properties, replaced) }
}

/**
 * The property of each member: by its exact name, else by an alias, else by its folded name.
 * `undefined`: a name that an `x-alias` replaces.
 */
const propertyNames = (
  fitter: FitContext,
  node: Node,
  schema: ObjectSchema,
): ReadonlyArray<string | undefined> => {
  const { keys } = node
  const { properties } = schema
  const table = fitter.names(schema, () => {
    const allowed = properties === undefined ? keyChoices(fitter, schema) : Object.keys(properties)
    return allowed === undefined ? undefined : nameTable(allowed, properties)
  })
  if (table === undefined || keys.every((key) => table.own.has(key))) return keys
  const { folded, own, replaced, aliases } = table
  const names: Array<string | undefined> = [...keys]
  const taken = new Set(keys.filter((key) => own.has(key)))
  for (const [slot, key] of keys.entries()) {
    if (own.has(key)) continue
    const name = aliases.get(key) ?? folded.get(foldText(key)) ?? folded.get(foldName(key))
    if (name === undefined || name === "" || taken.has(name)) {
      if (replaced.has(key)) names[slot] = undefined
      continue
    }
    taken.add(name)
    names[slot] = name
  }
  return names
}

/** Folded names; `""` if two properties share one. */
const foldedNames = (
  allowed: ReadonlyArray<string>,
  properties: ObjectSchema["properties"],
  replaced: ReadonlySet<string>,
): ReadonlyMap<string, string> => {
  const table = new Map<string, string>()
  const enter = (word: string, name: string) => {
    const other = table.get(word)
    table.set(word, other === undefined || other === name ? name : "")
  }
  for (const name of allowed) {
    const property =
      properties !== undefined && Object.hasOwn(properties, name) ? properties[name] : undefined
    const alias = typeof property === "object" ? property["x-alias"] : undefined
    const more = typeof property === "object" ? property["x-aliases"] : undefined
    const words = replaced.has(name) ? [alias as string] : [name]
    if (Array.isArray(more)) words.push(...(more as ReadonlyArray<string>))
    for (const word of words) {
      enter(foldText(word), name)
      enter(foldName(word), name)
    }
  }
  return table
}

/** Names that `propertyNames` allows for a map. */
const keyChoices = (
  fitter: FitContext,
  schema: ObjectSchema,
): ReadonlyArray<string> | undefined => {
  if (schema.propertyNames === undefined) return undefined
  const rule = fitter.document.resolve(schema.propertyNames)
  if (typeof rule === "boolean" || rule.enum === undefined) return undefined
  return rule.enum.filter((name) => typeof name === "string")
}
