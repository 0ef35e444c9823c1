/** Types of every output and of every name at every place of a definition, before it runs. */
import { loopStops, type Json, type JsonObject, type JsonSchema } from "@planloom/plugin/effect"
import { unwrapExpression, literalEntries } from "@planloom/expression"
import {
  infer,
  parseExpression,
  parseTemplate,
  SyntaxProblem,
  any,
  combineProofs,
  fits,
  int,
  listOf,
  noProof,
  nullType,
  objectOf,
  provenBy,
  schemaOfType,
  string,
  union,
  typeOfSchema,
  typeOfValue,
  widen,
} from "@planloom/expression/check"
import type { Environment, Node, Field, ObjectType, Proof, Type } from "@planloom/expression/check"
import type { Branch, Definition } from "../Definition.ts"
import type { Resources } from "../Resources.ts"
import { environmentOf, perItem, type TypedDefinition } from "./environment.ts"
import { ancestorsOf, stageTree } from "./StageTree.ts"
import type { BlockNode, StageNode, StageTree } from "./StageTree.ts"
import type { Place } from "./visible.ts"
import { ownMember } from "../ownMember.ts"

/** What the type of an expression depends on. */
interface Scope {
  readonly environment: Environment
  readonly proof: Proof
}

export class Analysis implements TypedDefinition {
  readonly definition: Definition
  readonly resources: Resources
  readonly tree: StageTree
  private readonly outputs = new Map<StageNode, Type>()
  private readonly iters = new Map<StageNode, ObjectType>()
  private readonly items = new Map<StageNode, Type>()
  private readonly environments = new Map<Place["at"], Map<StageNode | undefined, Environment>>()
  private readonly trees = new Map<string, Node | SyntaxProblem>()

  constructor(definition: Definition, resources: Resources) {
    this.definition = definition
    this.resources = resources
    this.tree = stageTree(definition)
  }

  /** The syntax tree of an expression, or its syntax error. Each text is parsed once. */
  parse(source: string): Node | SyntaxProblem {
    let known = this.trees.get(source)
    if (known === undefined) {
      try {
        known = parseExpression(source)
      } catch (error) {
        if (!(error instanceof SyntaxProblem)) throw error
        known = error
      }
      this.trees.set(source, known)
    }
    return known
  }

  /** The names that can be read at a place. */
  environment(place: Place): Environment {
    let all = this.environments.get(place.at)
    if (all === undefined) this.environments.set(place.at, (all = new Map()))
    const node = place.at === "end" ? undefined : place.node
    let known = all.get(node)
    if (known === undefined) all.set(node, (known = environmentOf(this, place)))
    return known
  }

  /** The type of a stage's whole output; any value where it is unknown. */
  outputType(node: StageNode): Type {
    const known = this.outputs.get(node)
    if (known) return known
    // Stages that need each other read it before it is known; PL2005 reports that.
    this.outputs.set(node, any)
    const one = this.occurrenceType(node)
    const { for_each: forEach, on_error: onError } = node.stage
    const items = onError === "continue" ? union([one, nullType]) : one
    const type = forEach ? listOf(items) : one
    this.outputs.set(node, type)
    return type
  }

  /** The type of one occurrence: of one item when the stage has a `for_each`. */
  private occurrenceType(node: StageNode): Type {
    const { stage } = node
    if (stage.output !== undefined && !node.inner) return typeOfSchema(stage.output)
    if (!node.inner) return this.kindType(node)
    if (stage.repeat) {
      const { index: _, ...carried } = this.iterType(node).fields
      const carry: Type = { kind: "object", fields: carried, rest: undefined }
      return loopType(carry)
    }
    if (stage.branch) return this.branchType(node.inner, stage.branch)
    const fields: { [id: string]: Field } = {}
    for (const inner of node.inner.stages) {
      const { stage: one } = inner
      fields[one.id] = {
        type: this.outputType(inner),
        optional: one.if !== undefined || one.on_error === "continue",
      }
    }
    return { kind: "object", fields, rest: undefined }
  }

  /** One member for each case; the field `case` is different in each. */
  private branchType({ stages }: BlockNode, { cases }: Branch): Type {
    return union(
      cases.map(({ name }, index) => {
        const inner = stages[index]!
        const output = this.outputType(inner)
        const failed = inner.stage.on_error === "continue" && !inner.stage.for_each
        return objectOf({
          case: typeOfValue(name ?? "else"),
          value: failed ? union([output, nullType]) : output,
        })
      }),
    )
  }

  private kindType(node: StageNode): Type {
    const schema = this.outputSchema(node)
    return schema === undefined ? any : typeOfSchema(schema)
  }

  /** The output of one occurrence of a stage with a kind; undefined where it is unknown. */
  outputSchema(node: StageNode): JsonSchema | undefined {
    const { stage } = node
    if (stage.output !== undefined) return stage.output
    const kind = this.resources.components.stages.get(stage.uses ?? "")
    if (!kind) return undefined
    if (typeof kind.output !== "function") return kind.output
    try {
      const { tools, workflows } = this.resources
      return kind.output(literalEntries(stage.with), {
        given: (key) => this.givenSchema(node, key),
        workflow: (path) => workflows?.get(path)?.outputs,
        toolResult: (name) => tools.find((tool) => tool.name === name)?.result,
      })
    } catch {
      // The kind's own code on a `with` that other rules object to.
      return undefined
    }
  }

  private givenSchema(node: StageNode, key: string): JsonSchema | undefined {
    const value = ownMember(node.stage.with, key)
    return value === undefined ? undefined : schemaOfType(this.valueType(value, this.inside(node)))
  }

  /** The names of a stage's work, and what its conditions and those around it prove. */
  private inside(node: StageNode): Scope {
    const conditions = [node, ...ancestorsOf(node)].flatMap(({ stage }) => stage.if ?? [])
    return {
      environment: perItem(this.environment({ at: "before", node }), this, node),
      proof: conditions.reduce((proof, condition) => {
        const tree = this.parse(unwrapExpression(condition))
        return tree instanceof SyntaxProblem ? proof : combineProofs(proof, provenBy(tree, true))
      }, noProof),
    }
  }

  /** The type of `iter` inside a repeat: the type of `carry`, widened by the type of `next`. */
  iterType(node: StageNode): ObjectType {
    const known = this.iters.get(node)
    if (known) return known
    const { carry, next } = node.stage.repeat!
    const start = this.valueType(carry, this.at({ at: "before", node }))
    this.iters.set(node, withIndex(start))
    const later = this.valueType(next, this.at({ at: "iteration", node }))
    const joined = joinCarry(start, later)
    this.iters.set(node, withIndex(joined))
    // The first reading of the inner stages saw only what `carry` gives.
    const forget = (inner: StageNode): void => {
      this.outputs.delete(inner)
      inner.inner?.stages.forEach(forget)
    }
    node.inner?.stages.forEach(forget)
    return this.iters.get(node)!
  }

  /** The type of one item of a `for_each`. */
  itemType(node: StageNode): Type {
    const known = this.items.get(node)
    if (known) return known
    this.items.set(node, any)
    const list = this.expressionType(node.stage.for_each!.in, this.at({ at: "before", node }))
    const type = list.kind === "list" ? list.item : any
    this.items.set(node, type)
    return type
  }

  /** The scope of a place, without what its stage's conditions prove. */
  at(place: Place): Scope {
    return { environment: this.environment(place), proof: noProof }
  }

  /** The type of an expression; its problems are not reported here. */
  expressionType(text: string, { environment, proof }: Scope): Type {
    const source = unwrapExpression(text)
    const tree = this.parse(source)
    return tree instanceof SyntaxProblem ? any : infer(tree, source, environment, proof).type
  }

  /** The type of a value with `${{ }}` in it. */
  valueType(value: Json, scope: Scope): Type {
    if (typeof value === "string") {
      if (!value.includes("${{")) return typeOfValue(value)
      const { parts } = parseTemplate(value)
      const [only] = parts
      return parts.length === 1 && only?.type === "expression"
        ? this.expressionType(only.source, scope)
        : string
    }
    if (Array.isArray(value)) {
      return listOf(union(value.map((item: Json) => this.valueType(item, scope))))
    }
    if (value === null || typeof value !== "object") return typeOfValue(value)
    const types: { [name: string]: Type } = {}
    for (const [name, entry] of Object.entries(value as JsonObject)) {
      types[name] = this.valueType(entry, scope)
    }
    return objectOf(types)
  }
}

/** The output of a `repeat`. */
const loopType = (carry: Type): ObjectType => ({
  kind: "object",
  fields: {
    ...objectOf({
      carry,
      iterations: int,
      done: { kind: "bool" },
      stopped: { kind: "string", values: Object.keys(loopStops) },
    }).fields,
    error: { type: objectOf({ class: string, message: string }), optional: true },
  },
  rest: undefined,
})

const withIndex = (type: Type): ObjectType => {
  const fields = type.kind === "object" ? type.fields : {}
  return {
    kind: "object",
    fields: { ...fields, index: { type: int, optional: false } },
    rest: undefined,
  }
}

/** Field by field, the wider type of the fold's start and its next value. */
const joinCarry = (start: Type, next: Type): Type => {
  if (start.kind !== "object" || next.kind !== "object") return start
  const types: { [name: string]: Type } = {}
  for (const [name, { type }] of Object.entries(start.fields)) {
    const later = ownMember(next.fields, name)?.type
    const first = widen(type)
    types[name] = later && fits(first, widen(later)) ? widen(later) : first
  }
  return objectOf(types)
}
