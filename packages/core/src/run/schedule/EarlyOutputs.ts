/** Emits outputs, and settles streamed ones, as soon as every stage that they read has ended for good. */
import { StageFailed, type RunEvent, type Untimed } from "@planloom/plugin"
import type { Block, EarlyOutput, Node, Pipeline } from "../../pipeline/Pipeline.ts"
import type { RunScope } from "../RunScope.ts"
import { both, type OutputParts, type Waiting } from "../parts/OutputParts.ts"
import { tryEvaluate } from "../stage/tryEvaluate.ts"

export class EarlyOutputs {
  readonly pipeline: Pipeline
  private readonly scope: RunScope
  private readonly emit: (event: Untimed<RunEvent>) => void
  private readonly parts: OutputParts | undefined
  private readonly ended = new Set<string>()
  private waiting: ReadonlyArray<EarlyOutput>

  /** Emits outputs that read no stage at once. */
  constructor(
    pipeline: Pipeline,
    scope: RunScope,
    emit: (event: Untimed<RunEvent>) => void,
    parts: OutputParts | undefined,
  ) {
    this.pipeline = pipeline
    this.scope = scope
    this.emit = emit
    this.parts = parts
    this.waiting = pipeline.early.filter(
      ({ output: { early, stream } }) => early || (stream && parts !== undefined),
    )
    // A streamed output reads a stage: nothing has to wait for it here.
    this.emitReady()
  }

  /** Skipped stages and failures that the run survives count as ended, with all stages inside them. */
  end(node: Node): Waiting {
    if (this.waiting.length === 0) return undefined
    this.ended.add(node.id)
    if (node.work.type === "block") this.endInside(node.work.block)
    return this.emitReady()
  }

  private endInside({ nodes }: Block): void {
    for (const { id, work } of nodes) {
      this.ended.add(id)
      if (work.type === "block") this.endInside(work.block)
    }
  }

  /** Leaves out outputs that cannot be evaluated or do not fit: they fail the run at its end. */
  private emitReady(): Waiting {
    const ready = this.waiting.filter(({ after }) => [...after].every((id) => this.ended.has(id)))
    if (ready.length === 0) return undefined
    let waiting: Waiting
    this.waiting = this.waiting.filter((one) => !ready.includes(one))
    for (const { output } of ready) {
      const value = tryEvaluate(output.value.evaluate, this.scope)
      if (value instanceof StageFailed || output.validate(value).length > 0) continue
      if (output.stream) {
        waiting = both(waiting, () => this.parts?.settle(output.name, value))
      }
      if (output.early) this.emit({ type: "OutputReady", name: output.name, value })
    }
    return waiting
  }
}
