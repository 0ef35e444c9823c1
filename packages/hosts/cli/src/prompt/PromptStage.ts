/** One stage of a pipeline, alone: what comes before it has given or placeholder results, and its model is a double. */
import * as Effect from "effect/Effect"
import { ToolFailed, type Json, type Provider } from "@planloom/plugin/effect"
import { mapTools } from "@planloom/language"
import type { Pipeline } from "@planloom/core"
import type { Block, KindWork, Node } from "@planloom/core/internal"
import { below, placeholderOf } from "./placeholderOf.ts"

/** A stage and the stages that contain it, outermost first. */
export interface Place {
  readonly path: string
  readonly nodes: ReadonlyArray<Node>
  readonly work: KindWork | undefined
}

export const placesOf = (pipeline: Pipeline): ReadonlyArray<Place> => [
  ...inBlock(pipeline.main, []),
  ...inBlock(pipeline.finally, []),
]

const inBlock = ({ nodes }: Block, outer: ReadonlyArray<Node>): ReadonlyArray<Place> =>
  nodes.flatMap((node) => {
    const all = [...outer, node]
    const path = all.map(({ id }) => id).join("/")
    return node.work.type === "kind"
      ? [{ path, nodes: all, work: node.work }]
      : [{ path, nodes: all, work: undefined }, ...inBlock(node.work.block, all)]
  })

/** Changes of a stage that is run for its request. */
export interface Doubles {
  /** Results of other stages, by id. */
  readonly outputs: ReadonlyMap<string, Json>
  readonly mode: string | undefined
  readonly provider: (real: Provider) => Provider
  /** Is called if the stage searches by words alone although a run has an embedder. */
  readonly onSearchByWords: () => void
  readonly hooks: (plan: NonNullable<Node["hooks"]> | undefined) => Node["hooks"]
}

/** Calls of tools that change something fail, and no workflow, embedder or other stage runs. */
export const alone = (pipeline: Pipeline, place: Place, doubles: Doubles): Pipeline => {
  const { index, liveTools } = pipeline
  const tools = liveTools?.snapshot().registry ?? pipeline.tools
  return {
    ...pipeline,
    main: { nodes: reduced(pipeline, place, doubles), needs: undefined },
    finally: { nodes: [], needs: undefined },
    outputs: [],
    early: [],
    timeout: undefined,
    budget: undefined,
    concurrency: undefined,
    hooks: undefined,
    workflows: new Map(),
    liveTools: undefined,
    index: index?.embedder === undefined ? index : byWords(index, doubles),
    tools: mapTools(tools, withoutWrites),
  }
}

const byWords = (
  index: NonNullable<Pipeline["index"]>,
  { onSearchByWords }: Doubles,
): Pipeline["index"] => ({
  ...index,
  embedder: undefined,
  build: (documents) =>
    Effect.suspend(() => {
      onSearchByWords()
      return index.buildByWords(documents)
    }),
})

type Registered = Pipeline["tools"] extends ReadonlyMap<string, infer One> ? One : never

const withoutWrites = (one: Registered): Registered => {
  const { source, tool } = one
  if (source === undefined || tool.effect === "none" || tool.effect === "read") return one
  const call = () =>
    Effect.fail(
      new ToolFailed({
        class: "unavailable",
        tool: tool.name,
        message: `"${tool.name}" can change something, and is not called for showing a prompt`,
      }),
    )
  return { ...one, source: Object.create(source, { call: { value: call } }) as typeof source }
}

/** Expressions without a value before the run, such as `stages.plan.output.text`. */
export const openIn = (
  { nodes, work }: Place,
  outputs: Doubles["outputs"],
): ReadonlyArray<string> => {
  const known = new Set(nodes.map(({ id }) => id))
  const items = new Set(nodes.flatMap(({ forEach }) => forEach?.as ?? []))
  return [
    ...new Set(
      referencesOf(nodes, work).flatMap((path) =>
        (path[0] === "stages" && !outputs.has(path[1]!) && !known.has(path[1]!)) ||
        items.has(path[0]!)
          ? [path.join(".")]
          : [],
      ),
    ),
  ]
}

const referencesOf = (
  nodes: ReadonlyArray<Node>,
  work: KindWork | undefined,
): ReadonlyArray<ReadonlyArray<string>> => {
  const { examples, prompt } = work ?? {}
  const sections = [prompt?.alone, ...(prompt?.modes.values() ?? [])].flatMap(
    (variant) => variant?.sections ?? [],
  )
  const hooks = Object.values(nodes.at(-1)?.hooks ?? {}).flatMap(({ readers, transforms }) => [
    ...transforms,
    ...readers,
  ])
  return [
    ...(work?.with.references ?? []),
    ...(prompt?.mode?.references ?? []),
    ...sections.flatMap(({ text }) => (typeof text === "string" ? [] : text.references)),
    ...(examples === undefined ? [] : (examples.user?.references ?? [])),
    ...hooks.flatMap((bound) => [...(bound.when?.references ?? []), ...bound.with.references]),
    ...nodes.flatMap(({ forEach, work: inner }) => [
      ...(forEach?.in.references ?? []),
      ...(inner.type === "block"
        ? [inner.repeat?.carry, inner.branch?.on].flatMap((one) => one?.references ?? [])
        : []),
    ]),
  ]
}

/** Stages before the place, which give results, then the place itself within the stages around it. */
const reduced = (pipeline: Pipeline, place: Place, doubles: Doubles): ReadonlyArray<Node> => {
  const { nodes, work } = place
  const reads = referencesOf(nodes, work)
  const around = new Set(nodes.map(({ id }) => id))
  const others = placesOf(pipeline).flatMap(({ nodes: path, work: other }) => {
    const node = path.at(-1)!
    return around.has(node.id) ? [] : [giving(node, resultOf(node, other, reads, doubles))]
  })
  const target = nodes.reduceRight<Node | undefined>((inner, node) => {
    const own = inner === undefined ? asking(node, doubles) : containing(node, inner)
    return { ...unconditional(own), forEach: firstItem(node, reads) }
  }, undefined)
  return [...others, target!]
}

const resultOf = (
  node: Node,
  work: KindWork | undefined,
  reads: ReadonlyArray<ReadonlyArray<string>>,
  { outputs }: Doubles,
): Json => {
  const { id } = node
  const given = outputs.get(id)
  if (given !== undefined) return given
  const wanted = below(below(below(reads, "stages"), id), "output")
  const path = `stages.${id}.output`
  const one = (at: string) => placeholderOf(work?.outputSchema ?? true, at, wanted)
  return node.forEach === undefined ? one(path) : [one(`${path}[0]`)]
}

const unconditional = (node: Node): Node => ({
  ...node,
  condition: undefined,
  assertions: [],
  onError: "fail",
  fallback: undefined,
  policy: undefined,
})

const containing = (node: Node, inner: Node): Node =>
  node.work.type === "kind"
    ? node
    : { ...node, work: { ...node.work, block: { nodes: [inner], needs: undefined } } }

/** The first item of a list; a placeholder for it where the list has no value or no item. */
const firstItem = (
  { forEach }: Node,
  reads: ReadonlyArray<ReadonlyArray<string>>,
): Node["forEach"] => {
  if (forEach === undefined) return undefined
  const { as, in: list } = forEach
  const evaluate: typeof list.evaluate = (scope) => {
    const items = list.evaluate(scope)
    const none = placeholderOf(true, as, below(reads, as))
    if (!Array.isArray(items)) return [none]
    const [first = none] = items
    return [typeof first === "string" && first.startsWith("‹") ? none : first]
  }
  return { as, maxParallel: 1, in: { ...list, evaluate } }
}

const asking = (node: Node, { hooks, mode, provider }: Doubles): Node => {
  if (node.work.type !== "kind") return node
  const { mechanical: _, ...kind } = node.work.kind
  const { model, prompt } = node.work
  return {
    ...node,
    hooks: hooks(node.hooks),
    work: {
      ...node.work,
      kind,
      model: model && {
        ...model,
        choices: model.choices.map((choice) => ({
          ...choice,
          provider: provider(choice.provider),
        })),
      },
      prompt:
        prompt === undefined || mode === undefined
          ? prompt
          : { ...prompt, mode: constant(mode), modeSource: mode },
    },
  }
}

const constant = (value: Json) => ({ evaluate: () => value, references: [], constant: true })

/** A stage in whose place a result stands. */
const giving = (node: Node, output: Json): Node => ({
  ...unconditional(node),
  forEach: undefined,
  gate: undefined,
  sections: [],
  hooks: undefined,
  work: {
    type: "kind",
    kind: {
      id: "given",
      summary: "Gives a result.",
      input: true,
      output: true,
      run: () => Effect.succeed(output),
    },
    uses: "given",
    component: "given",
    with: constant({}),
    workflows: [],
    conditions: new Map(),
    validateInput: undefined,
    validateOutput: () => [],
    outputSchema: true,
    model: undefined,
    repair: undefined,
    text: undefined,
    streams: [],
    prompt: undefined,
    documents: undefined,
    examples: undefined,
  },
})
