/** Which stages can be read from where, which of them may have no output, and why others cannot be read. */
import type { FieldIssue } from "@planloom/expression/check"
import { ancestorsOf, needsGraph } from "./StageTree.ts"
import type { StageNode } from "./StageTree.ts"

/** The place of an expression. */
export type Place =
  /** Read before the stage does its work: `if`, `with`, `for_each.in`, `repeat.carry`. */
  | { readonly at: "before"; readonly node: StageNode }
  /** Read when the stage has its output: `assert`. */
  | { readonly at: "after"; readonly node: StageNode }
  /** Read at the end of an iteration: `repeat.until`, `repeat.next`. */
  | { readonly at: "iteration"; readonly node: StageNode }
  /** Read at the end of the run: `outputs`. */
  | { readonly at: "end" }

/** Why a stage may have no output; rendered as text only when it is reported. */
export type Doubt = StageNode | "the run may have ended before it"

/** Whether a stage can be read from a place, and whether it may have no output there. */
export const visibleAt = (
  place: Place,
  target: StageNode,
): { readonly doubt: Doubt | undefined } | undefined => {
  if (place.at === "end") {
    return target.block.last ? undefined : letOut([target, ...ancestorsOf(target)], undefined)
  }
  const { node } = place
  const common = atCommonBlock(node, target)
  if (!common) {
    if (target.block.last) return undefined
    return letOut([target, ...ancestorsOf(target)], "the run may have ended before it")
  }
  const { from, to } = common
  const chain = [target, ...ancestorsOf(target)]
  if (from === to) {
    if (from !== node || place.at === "before") return undefined
    if (target === node) return place.at === "after" ? { doubt: undefined } : undefined
    if (place.at === "after" && node.stage.for_each) return undefined
    return letOut(chain.slice(0, chain.indexOf(node)), undefined)
  }
  const ended = from.block.graph
    ? needsGraph(from.block).waitsFor(from.index, to.index)
    : to.index < from.index
  return ended ? letOut(chain.slice(0, chain.indexOf(to) + 1), undefined) : undefined
}

/** A block lets its stages be read, but for a `for_each`, which keeps them to itself. */
const letOut = (
  chain: ReadonlyArray<StageNode>,
  outer: Doubt | undefined,
): { readonly doubt: Doubt | undefined } | undefined => {
  if (chain.slice(1).some(({ stage }) => stage.for_each)) return undefined
  return {
    doubt:
      outer ??
      chain.findLast(
        ({ block, stage }) =>
          stage.if !== undefined ||
          stage.on_error === "continue" ||
          block.owner?.stage.branch !== undefined,
      ),
  }
}

export const doubtText = (doubt: Doubt): string => {
  if (typeof doubt === "string") return doubt
  const { if: condition } = doubt.stage
  const branch = doubt.block.owner?.stage.branch
  if (branch !== undefined) return `it runs only in its case of "${doubt.block.owner!.stage.id}"`
  return condition === undefined
    ? "it may fail while the run continues (on_error: continue)"
    : `it runs only if ${shorten(condition)}`
}

const shorten = (text: string): string => {
  const line = text.trim().replace(/\s+/g, " ")
  return line.length > 60 ? `${line.slice(0, 59)}…` : line
}

/** Why a stage that exists cannot be read from a place. */
export const whyHidden = (place: Place, target: StageNode): FieldIssue => {
  const id = target.stage.id
  const keeper = ancestorsOf(target).find(
    (outer) => outer.stage.for_each && (place.at === "end" || !isInside(place.node, outer)),
  )
  if (keeper) {
    return {
      code: "PL2003",
      message: `"${id}" runs once for each item inside "${keeper.stage.id}"`,
      help: `the list of its outputs is stages.${keeper.stage.id}.output`,
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
      help: "its output of an earlier iteration is read through repeat: { carry, next }",
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
  const { from, to } = atCommonBlock(node, target) ?? { from: node, to: target }
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
      ? "its output of the iteration before is read through repeat: { carry, next }"
      : `move "${to.stage.id}" up, before "${from.stage.id}"`,
  }
}

const isInside = (node: StageNode, outer: StageNode): boolean =>
  node === outer || ancestorsOf(node).includes(outer)

/** The two stages of their common block that these are or are nested in. */
const atCommonBlock = (
  a: StageNode,
  b: StageNode,
): { readonly from: StageNode; readonly to: StageNode } | undefined => {
  const chain = [b, ...ancestorsOf(b)]
  for (const from of [a, ...ancestorsOf(a)]) {
    const to = chain.find(({ block }) => block === from.block)
    if (to) return { from, to }
  }
  return undefined
}
