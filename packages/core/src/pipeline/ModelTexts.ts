/** Which stages and values of a workflow may hold texts that a model wrote. */
import type { CompiledValue } from "@planloom/expression"
import type { Json, JsonObject, JsonSchema } from "@planloom/plugin/effect"
import type { Block, KindWork, Node, Pipeline } from "./Pipeline.ts"

/** A stage whose model may have written a text. */
export type Writer = Node & { readonly work: KindWork }

export type Writers = ReadonlySet<Writer>

type References = CompiledValue["references"]

const none: Writers = new Set()

/** Roots of expressions that hold no text of a model. */
const AUTHORED = ["user", "flags", "texts", "run", "outcome", "error", "index"]

/**
 * Where a stage's model may have written anything, all that later stages make of its output may hold it: templates,
 * carried values, results of tools that are given it. A closed value, such as a number or one of an `enum`, holds none.
 */
export class ModelTexts {
  private readonly pipeline: Pipeline
  private readonly nodes: ReadonlyMap<string, Node>
  private readonly outputs = new Map<string, Set<Writer>>()
  /** By stage and `<stage>/fallback`; undefined where no model writes. */
  private readonly own = new Map<string, Writer | undefined>()
  /** Of what blocks and items add to the scope. */
  private readonly variables = new Set<Writer>()
  /** Stands for what comes from outside of the workflow: an earlier turn, the inputs of a nested workflow. */
  private readonly outside: Writer | undefined
  /** A stage that asks a model, of the workflow or of one that it runs: without any there is no text of a model. */
  private readonly asking: Writer | undefined
  private readonly authored: ReadonlySet<string>
  private declared: ReadonlySet<string> | undefined

  /** `isNested`: another workflow gives the inputs. */
  constructor(pipeline: Pipeline, isNested: boolean) {
    this.pipeline = pipeline
    const nodes = [...nodesOf(pipeline.main), ...nodesOf(pipeline.finally)]
    this.nodes = new Map(nodes.map((node) => [node.id, node]))
    this.asking = firstWriter(pipeline)
    const first = this.asking ?? nodes.find(hasKind)
    this.outside = first && { ...first, gate: pipeline.gate }
    this.authored = new Set([
      ...AUTHORED,
      ...(isNested ? [] : ["inputs"]),
      ...[pipeline, ...nodes].flatMap(({ sections }) => sections.map(({ key }) => key)),
    ])
    for (let known = -1; known !== this.size;) {
      known = this.size
      for (const node of nodes) this.spread(node)
    }
  }

  /** The writers of texts that the output of a stage may hold, or the `with` that it is given. */
  of(id: string): Writers {
    return this.outputs.get(id) ?? none
  }

  /** The writers of texts that a value may hold which reads these paths. */
  read(references: References): Writers {
    if (references.length === 0) return none
    const found = new Set<Writer>()
    for (const path of references) for (const writer of this.at(path)) found.add(writer)
    return found
  }

  /** A writer for a text whose origin is not known. */
  get anyWriter(): Writers {
    return this.outside === undefined ? none : new Set([this.outside])
  }

  /** Words of the author that a model can only choose: names of properties, values of an `enum`. */
  get words(): ReadonlySet<string> {
    return (this.declared ??= wordsOf(this.pipeline, this.nodes.values()))
  }

  private get size(): number {
    let size = this.variables.size
    for (const writers of this.outputs.values()) size += writers.size
    return size
  }

  private at([root = "", id, view, ...field]: ReadonlyArray<string>): Writers {
    if (root === "session") return this.anyWriter
    if (root !== "stages") {
      return this.authored.has(root) ? none : root === "inputs" ? this.anyWriter : this.variables
    }
    if (id === undefined) return new Set([...this.outputs.values()].flatMap((one) => [...one]))
    if (view === "outcome" || view === "error") return none
    const node = this.nodes.get(id)
    return node !== undefined && view === "output" && isClosedAt(node, field) ? none : this.of(id)
  }

  private spread(node: Node): void {
    const { assertions, fallback, forEach, id, work } = node
    const own = this.outputs.get(id) ?? new Set()
    this.outputs.set(id, own)
    const add = (writers: Iterable<Writer>) => {
      for (const writer of writers) own.add(writer)
    }
    if (work.type === "kind") add(this.kind(id, node as Writer))
    else {
      for (const inner of work.block.nodes) add(this.of(inner.id))
      const { repeat } = work
      if (repeat !== undefined) {
        const carried = this.read([...repeat.carry.references, ...repeat.next.references])
        add(carried)
        this.vary(carried)
      }
    }
    if (fallback !== undefined) add(this.kind(`${id}/fallback`, { ...node, work: fallback }))
    if (forEach !== undefined) this.vary(this.read(forEach.in.references))
    for (const { message, rerun } of assertions) {
      if (message) this.vary(this.read(message.references))
      // It reads the output that was refused.
      if (rerun !== undefined) {
        const target = this.outputs.get(rerun.id) ?? new Set()
        this.outputs.set(rerun.id, target)
        for (const writer of own) target.add(writer)
      }
    }
  }

  private vary(writers: Writers): void {
    for (const writer of writers) this.variables.add(writer)
  }

  private kind(name: string, node: Writer): Writers {
    const given = this.read(node.work.with.references)
    if (!this.own.has(name)) this.own.set(name, this.writerOf(node))
    const own = this.own.get(name)
    return own === undefined ? given : new Set([own, ...given])
  }

  /** The stage itself, or the model of a workflow that it runs. */
  private writerOf(node: Writer): Writer | undefined {
    if (mayWrite(node.work)) return node
    // What is not known to relay may give what it reads elsewhere in the run: in answers, or in results of calls.
    if (node.work.kind.relays !== true) {
      return this.asking && { ...node, work: this.asking.work }
    }
    for (const path of node.work.workflows) {
      const inner = this.pipeline.workflows.get(path)
      const writer = inner && firstWriter(inner)
      if (writer !== undefined) return { ...node, work: writer.work }
    }
    return undefined
  }
}

const known = new WeakMap<Pipeline, { whole?: ModelTexts; nested?: ModelTexts }>()

/** Computed with the first run that shows something through a gate. */
export const modelTexts = (pipeline: Pipeline, isNested: boolean): ModelTexts => {
  const found = known.get(pipeline) ?? {}
  known.set(pipeline, found)
  return isNested
    ? (found.nested ??= new ModelTexts(pipeline, true))
    : (found.whole ??= new ModelTexts(pipeline, false))
}

const nodesOf = ({ nodes }: Block): ReadonlyArray<Node> =>
  nodes.flatMap((node) =>
    node.work.type === "block" ? [node, ...nodesOf(node.work.block)] : [node],
  )

const hasKind = (node: Node): node is Writer => node.work.type === "kind"

const isWriter = (node: Node): node is Writer => hasKind(node) && mayWrite(node.work)

const mayWrite = ({ kind, model }: KindWork): boolean =>
  kind.relays !== true && (kind.model !== undefined || model !== undefined)

const firstWriter = (pipeline: Pipeline): Writer | undefined =>
  [...nodesOf(pipeline.main), ...nodesOf(pipeline.finally)].find(isWriter) ??
  [...pipeline.workflows.values()].map(firstWriter).find((one) => one !== undefined)

/** Whether the schema of a stage's output lets no free text stand at a path. */
const isClosedAt = ({ fallback, forEach, work }: Node, path: ReadonlyArray<string>): boolean => {
  if (work.type === "block" || forEach !== undefined || fallback !== undefined) return false
  let schema: JsonSchema | undefined = work.outputSchema
  for (const step of path) {
    if (typeof schema !== "object") return false
    schema = (schema["properties"] as { readonly [name: string]: JsonSchema } | undefined)?.[step]
  }
  if (typeof schema !== "object") return false
  const { const: only, enum: values, type } = schema as JsonObject
  return only !== undefined || values !== undefined || CLOSED_TYPES.has(type)
}

const CLOSED_TYPES: ReadonlySet<Json | undefined> = new Set([
  "boolean",
  "integer",
  "null",
  "number",
])

const wordsOf = ({ outputs, session }: Pipeline, nodes: Iterable<Node>): ReadonlySet<string> => {
  const words = new Set<string>()
  const schema = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return
    if (Array.isArray(value)) return value.forEach(schema)
    for (const [key, inner] of Object.entries(value)) {
      if (key === "properties" && typeof inner === "object" && inner !== null) {
        for (const name of Object.keys(inner)) words.add(name)
      }
      if ((key === "enum" || key === "const") && inner !== undefined) {
        for (const one of [inner].flat()) if (typeof one === "string") words.add(one)
      }
      schema(inner)
    }
  }
  const literal = ({ entries = [] }: CompiledValue): void => {
    for (const [key, value] of entries) {
      words.add(key)
      literal(value)
    }
  }
  for (const { fallback, work } of nodes) {
    for (const one of [work, fallback]) {
      if (one?.type !== "kind") continue
      schema(one.outputSchema)
      literal(one.with)
    }
    if (work.type === "block" && work.repeat !== undefined) {
      literal(work.repeat.carry)
      literal(work.repeat.next)
    }
  }
  for (const output of outputs) {
    schema(output.schema)
    literal(output.value)
  }
  for (const state of session?.state ?? []) {
    schema(state.schema)
    literal(state.value)
  }
  return words
}
