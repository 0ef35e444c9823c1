/** The field `output` of `rerun`, with its type from the assertions that send the stage, or one around it, back. */
import { any, union, type Field, type FieldIssue, type Type } from "@planloom/expression/check"
import { ancestorsOf, type StageNode } from "./StageTree.ts"

interface Typed {
  /** The type of a stage's whole output. */
  readonly outputType: (node: StageNode) => Type
}

const withoutRerun: FieldIssue = {
  code: "PL2006",
  message: "rerun has an output only when an assertion has sent the stage back",
  help: "guard it: has(rerun.output) ? … : …",
}

/** Its getter is the class's: V8 would make a hidden class for each object literal that has one. */
export class RerunOutput implements Field {
  readonly optional = true
  readonly whenMissing = withoutRerun
  private readonly typed: Typed
  private readonly node: StageNode

  constructor(typed: Typed, node: StageNode) {
    this.typed = typed
    this.node = node
  }

  get type(): Type {
    const { node, typed } = this
    const asserting = [node, ...ancestorsOf(node)].flatMap(({ block, stage: { id } }) =>
      block.stages.filter(({ stage }) =>
        stage.assert.some(({ on_fail: then }) => then !== "fail" && then.rerun === id),
      ),
    )
    return asserting.length === 0 ? any : union(asserting.map((one) => typed.outputType(one)))
  }
}
