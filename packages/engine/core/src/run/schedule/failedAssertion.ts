/** Checks the assertions of a finished stage, and requests the rerun that one of them declares. */
import { StageFailed, type FailureRecord, type Feedback, type Json } from "@planloom/plugin/effect"
import type { Node, NodeAssertion } from "../../pipeline/Pipeline.ts"
import type { Frame } from "../Frame.ts"
import type { Occurrence } from "../stage/Occurrence.ts"
import { unquoted } from "../shown/quotable.ts"
import { mayQuote } from "../shown/showing.ts"
import { tryEvaluate } from "../stage/tryEvaluate.ts"

/** An assertion that failed and requests a rerun. */
export interface Refused {
  readonly assertion: NodeAssertion
  /** Index of the node to run again. */
  readonly target: number
  readonly feedback: Feedback
  /** Why the target runs without its model; undefined if it may ask it. */
  readonly withoutModel: FailureRecord | undefined
}

/** What the assertions of a block know of each other. */
export interface RerunCounts {
  rerunsOf(assertion: NodeAssertion): number
  /** The stage at an index of the block. */
  nodeAt(index: number): Node
}

/** The outcome of the first assertion that does not hold; undefined when all hold. */
export const failedAssertion = (
  occurrence: Occurrence,
  reruns: RerunCounts,
  output: Json,
): Refused | FailureRecord | undefined => {
  const { frame, node, path } = occurrence
  for (const assertion of node.assertions) {
    const holds = tryEvaluate(assertion.that.evaluate, frame.scope)
    if (holds === true) continue
    if (holds instanceof StageFailed) return unquoted({ frame, path, stage: node.id }, holds)
    const message = messageOf(assertion, frame)
    const { rerun } = assertion
    const quotes = mayQuote(frame, node.id)
    const quotable =
      quotes && assertion.message?.constant === false
        ? `"${assertion.source}" does not hold`
        : message
    const count = reruns.rerunsOf(assertion) + 1
    // After the reruns with its model, a stage that has rules runs once by them.
    const byRules =
      rerun !== undefined && count === rerun.max + 1 && fallsBack(reruns.nodeAt(rerun.node))
    const goesBack = rerun !== undefined && (count <= rerun.max || byRules)
    frame.state.emit({
      type: "AssertionFailed",
      path,
      stage: node.id,
      that: assertion.source,
      message,
      ...(goesBack ? { rerun: { stage: rerun.id, count, max: Math.max(count, rerun.max) } } : {}),
    })
    return goesBack
      ? {
          assertion,
          target: rerun.node,
          feedback: { stage: node.id, message, output, count },
          withoutModel: byRules
            ? {
                class: "assertion",
                message: `the check in ${node.id} refused what the model gave: ${quotable}`,
              }
            : undefined,
        }
      : { class: "assertion", message: quotable, ...(quotes ? {} : { detail: output }) }
  }
  return undefined
}

/** Whether the stage asks a model that may be replaced by the rules of its kind. */
const fallsBack = ({ work }: Node): boolean =>
  work.type === "kind" &&
  work.kind.model !== undefined &&
  work.kind.mechanical !== undefined &&
  work.model !== undefined &&
  work.model.otherwise !== "fail" &&
  work.model.choices.length > 0

const messageOf = ({ message, source }: NodeAssertion, { scope }: Frame): string => {
  if (message === undefined) return `"${source}" does not hold`
  const said = tryEvaluate(message.evaluate, scope)
  return said instanceof StageFailed ? said.message : String(said)
}
