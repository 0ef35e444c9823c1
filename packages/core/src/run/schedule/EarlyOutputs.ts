/** Tells outputs as soon as what they read is over for good. */
import { StageFailed } from "@planloom/plugin"
import type { Block, EarlyOutput, Node, Pipeline } from "../../pipeline/Pipeline.ts"
import type { Frame } from "../RunState.ts"
import { evaluated } from "../stage/runKind.ts"

export class EarlyOutputs {
  readonly pipeline: Pipeline
  private readonly frame: Frame
  private readonly over = new Set<string>()
  private waiting: ReadonlyArray<EarlyOutput>

  /** Tells at once what reads no stage. */
  constructor(frame: Frame) {
    this.frame = frame
    this.pipeline = frame.pipeline
    this.waiting = frame.pipeline.early
    this.tell()
  }

  /** One that was skipped, or whose failure the run survives, has ended too, and so have those inside of it. */
  ended(node: Node): void {
    if (this.waiting.length === 0) return
    this.over.add(node.id)
    if (node.work.type === "block") this.inside(node.work.block)
    this.tell()
  }

  private inside({ nodes }: Block): void {
    for (const { id, work } of nodes) {
      this.over.add(id)
      if (work.type === "block") this.inside(work.block)
    }
  }

  /** What cannot be worked out, or does not fit, fails the run at its end, where it is worked out again. */
  private tell(): void {
    const ready = this.waiting.filter(({ after }) => [...after].every((id) => this.over.has(id)))
    if (ready.length === 0) return
    this.waiting = this.waiting.filter((one) => !ready.includes(one))
    for (const { output } of ready) {
      const value = evaluated(output.value.evaluate, this.frame.scope)
      if (value instanceof StageFailed || output.validate(value).length > 0) continue
      this.frame.state.emit({ type: "OutputReady", name: output.name, value })
    }
  }
}
