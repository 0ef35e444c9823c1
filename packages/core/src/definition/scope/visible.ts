/** Which stages can be read from where, which of them may have no output, and why others cannot be read. */
import { ancestorsOf, endedBefore } from "./StageTree.ts"
import type { BlockNode, StageNode, StageTree } from "./StageTree.ts"
import type { Objection } from "../expression/Type.ts"

export interface VisibleStage {
  readonly node: StageNode
  /** Why it may have no output; undefined when it always has one. */
  readonly maybe: string | undefined
}

/** Where an expression stands. */
export type Place =
  /** Read before the stage does its work: `if`, `with`, `for_each.in`, `repeat.carry`. */
  | { readonly at: "before"; readonly node: StageNode }
  /** Read when the stage has its output: `assert`. */
  | { readonly at: "after"; readonly node: StageNode }
  /** Read at the end of an iteration: `repeat.until`, `repeat.next`. */
  | { readonly at: "iteration"; readonly node: StageNode }
  /** Read at the end of the run: `outputs`. */
  | { readonly at: "end" }

export const visibleFrom = (tree: StageTree, place: Place): ReadonlyArray<VisibleStage> => {
  if (place.at === "end") return exported(tree.main.stages, undefined)
  const { node } = place
  const found: Array<VisibleStage> = []
  for (const outer of [...ancestorsOf(node)].toReversed()) {
    found.push(...exported(endedBefore(outer), undefined))
  }
  if (node.block.last) {
    found.push(...exported(tree.main.stages, "the run may have ended before it"))
  }
  found.push(...exported(endedBefore(node), undefined))
  if (place.at === "after") found.push({ node, maybe: undefined })
  if (place.at === "iteration") found.push(...exported(node.inner?.stages ?? [], undefined))
  return found
}

/** Stages with what their blocks let out: a `for_each` keeps its inner stages to itself. */
const exported = (
  nodes: ReadonlyArray<StageNode>,
  outer: string | undefined,
): ReadonlyArray<VisibleStage> =>
  nodes.flatMap((node) => {
    const maybe = outer ?? whyMaybe(node)
    const own: VisibleStage = { node, maybe }
    if (!node.inner || node.stage.for_each) return [own]
    return [own, ...exported(node.inner.stages, maybe)]
  })

const whyMaybe = ({ stage }: StageNode): string | undefined =>
  stage.if !== undefined
    ? `it runs only if ${shorten(stage.if)}`
    : stage.on_error === "continue"
      ? "it may fail, and the run goes on (on_error: continue)"
      : undefined

const shorten = (text: string): string => {
  const line = text.trim().replace(/\s+/g, " ")
  return line.length > 60 ? `${line.slice(0, 59)}…` : line
}

/** Why a stage that exists cannot be read from a place. */
export const whyHidden = (place: Place, target: StageNode): Objection => {
  const id = target.stage.id
  const keeper = ancestorsOf(target).find(
    (outer) => outer.stage.for_each && (place.at === "end" || !isInside(place.node, outer)),
  )
  if (keeper) {
    return {
      code: "PL2003",
      message: `"${id}" runs once for each item inside "${keeper.stage.id}"`,
      help: `the list of what it gave is stages.${keeper.stage.id}.output`,
    }
  }
  if (place.at === "end") {
    return {
      code: "PL2003",
      message: `"${id}" is under finally, which runs after the outputs are made`,
    }
  }
  const { node } = place
  if (node === target) {
    return {
      code: "PL2003",
      message: `"${id}" cannot read its own output before it has run`,
      help: "what it gave in an earlier round comes in through repeat: { carry, next }",
    }
  }
  if (ancestorsOf(node).includes(target)) {
    return {
      code: "PL2003",
      message: `"${id}" is the block around this stage and has no output yet`,
      help: "inside a repeat, read iter; inside a for_each, read its item",
    }
  }
  if (target.block.last && !node.block.last) {
    return { code: "PL2003", message: `"${id}" is under finally and runs after this stage` }
  }
  const { from, to } = atCommonBlock(node, target)
  if (from.block.graph) {
    return {
      code: "PL2004",
      message: `"${from.stage.id}" does not wait for "${to.stage.id}"`,
      help: `add it: needs: [${[...(from.stage.needs ?? []), to.stage.id].join(", ")}]`,
    }
  }
  const inLoop = ancestorsOf(node).some((outer) => outer.stage.repeat && isInside(target, outer))
  return {
    code: "PL2003",
    message: `"${id}" runs after "${node.stage.id}"`,
    help: inLoop
      ? "what it gave in the iteration before comes in through repeat: { carry, next }"
      : `move "${to.stage.id}" up, before "${from.stage.id}"`,
  }
}

const isInside = (node: StageNode, outer: StageNode): boolean =>
  node === outer || ancestorsOf(node).includes(outer)

/** The two stages of one block that these are, or are inside of. */
const atCommonBlock = (
  a: StageNode,
  b: StageNode,
): { readonly from: StageNode; readonly to: StageNode } => {
  const chain = [b, ...ancestorsOf(b)]
  for (const from of [a, ...ancestorsOf(a)]) {
    const to = chain.find((one): boolean => sameBlock(one.block, from.block))
    if (to) return { from, to }
  }
  return { from: a, to: b }
}

const sameBlock = (a: BlockNode, b: BlockNode): boolean => a === b
