/** Emits outputs as soon as every stage that they read has ended for good. */
import { StageFailed, type RunEvent, type Untimed } from "@planloom/plugin"
import type { Block, EarlyOutput, Node, Pipeline } from "../../pipeline/Pipeline.ts"
import type { RunScope } from "../RunScope.ts"
import { tryEvaluate } from "../stage/tryEvaluate.ts"

export class EarlyOutputs {
  readonly pipeline: Pipeline
  private readonly scope: RunScope
  private readonly emit: (event: Untimed<RunEvent>) => void
  private readonly ended = new Set<string>()
  private waiting: ReadonlyArray<EarlyOutput>

  /** Emits outputs that read no stage at once. */
  constructor(pipeline: Pipeline, scope: RunScope, emit: (event: Untimed<RunEvent>) => void) {
    this.pipeline = pipeline
    this.scope = scope
    this.emit = emit
    this.waiting = pipeline.early
    this.emitReady()
  }

  /** Skipped stages and failures that the run survives count as ended, with all stages inside them. */
  end(node: Node): void {
    if (this.waiting.length === 0) return
    this.ended.add(node.id)
    if (node.work.type === "block") this.endInside(node.work.block)
    this.emitReady()
  }

  private endInside({ nodes }: Block): void {
    for (const { id, work } of nodes) {
      this.ended.add(id)
      if (work.type === "block") this.endInside(work.block)
    }
  }

  /** Leaves out outputs that cannot be evaluated or do not fit: they fail the run at its end. */
  private emitReady(): void {
    const ready = this.waiting.filter(({ after }) => [...after].every((id) => this.ended.has(id)))
    if (ready.length === 0) return
    this.waiting = this.waiting.filter((one) => !ready.includes(one))
    for (const { output } of ready) {
      const value = tryEvaluate(output.value.evaluate, this.scope)
      if (value instanceof StageFailed || output.validate(value).length > 0) continue
      this.emit({ type: "OutputReady", name: output.name, value })
    }
  }
}
