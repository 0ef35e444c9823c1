/** Which stages and values of a workflow may hold texts that a model wrote. */
import type { CompiledValue } from "@planloom/expression"
import type { Gate, Json, JsonObject, JsonSchema } from "@planloom/plugin/effect"
import { documentParams } from "./documentParams.ts"
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
  /** By stage and `<stage>/fallback`: the stage itself, and the models of workflows that it runs. */
  private readonly own = new Map<string, ReadonlyArray<Writer>>()
  /** By stage; filled for stages that fail. */
  private readonly quoted = new Map<string, Writers>()
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

  /** The writers of texts that a failure of a stage may quote: those of its output, and of what its expressions read. */
  near(id: string): Writers {
    const known = this.quoted.get(id)
    if (known !== undefined) return known
    const node = this.nodes.get(id)
    const read = this.read(node === undefined ? [] : evaluated(node))
    const all: Writers = read.size === 0 ? this.of(id) : new Set([...this.of(id), ...read])
    this.quoted.set(id, all)
    return all
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

  private at(path: ReadonlyArray<string>): Writers {
    const [root = "", id, view, ...field] = path
    if (root === "session") return this.anyWriter
    // Their tools may repeat what they are given.
    if (root === "documents") return this.read(documentParams(this.pipeline, [path]))
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
        // Its expressions read it as `rerun.output`.
        this.vary(own)
      }
    }
  }

  private vary(writers: Writers): void {
    for (const writer of writers) this.variables.add(writer)
  }

  private kind(name: string, node: Writer): Writers {
    const given = this.read(node.work.with.references)
    const own = this.own.get(name) ?? this.writersOf(node)
    this.own.set(name, own)
    return own.length === 0 ? given : new Set([...own, ...given])
  }

  /** The stage itself, and the models of the workflows that it runs, each behind its own gate. */
  private writersOf(node: Writer): ReadonlyArray<Writer> {
    const inner = node.work.workflows.flatMap((path) => {
      const pipeline = this.pipeline.workflows.get(path)
      return pipeline === undefined ? [] : innerWriters(pipeline, node)
    })
    if (mayWrite(node.work)) return [node, ...inner]
    // What is not known to relay may give what it reads elsewhere in the run: in answers, or in results of calls.
    return node.work.kind.relays !== true && this.asking !== undefined
      ? [{ ...node, work: this.asking.work }, ...inner]
      : inner
  }
}

/** One writer for each gate that reads a model of the workflow, under the name of the stage that runs it. */
const innerWriters = (pipeline: Pipeline, node: Writer): ReadonlyArray<Writer> => {
  const found = new Map<Gate | undefined, Writer>()
  const add = (writer: Writer) => {
    const gate = writer.gate ?? node.gate
    if (!found.has(gate)) found.set(gate, { ...node, gate, work: writer.work })
  }
  for (const one of [...nodesOf(pipeline.main), ...nodesOf(pipeline.finally)].filter(hasKind)) {
    if (mayWrite(one.work)) add(one)
    for (const path of one.work.workflows) {
      const inner = pipeline.workflows.get(path)
      if (inner !== undefined) for (const writer of innerWriters(inner, one)) add(writer)
    }
  }
  return [...found.values()]
}

/** What the expressions of a stage read, beside those of its `with`. */
const evaluated = ({
  assertions,
  condition,
  forEach,
  work,
}: Node): ReadonlyArray<ReadonlyArray<string>> =>
  [
    condition,
    forEach?.in,
    ...assertions.flatMap(({ message, that }) => [that, message]),
    ...(work.type === "kind"
      ? work.conditions.values()
      : [work.branch?.on, work.repeat?.until, work.repeat?.carry, work.repeat?.next]),
  ].flatMap((one) => one?.references ?? [])

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
