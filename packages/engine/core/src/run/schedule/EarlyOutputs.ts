/** Emits outputs, and settles streamed ones, as soon as every stage that they read has ended for good. */
import * as Effect from "effect/Effect"
import { StageFailed, type Json } from "@planloom/plugin/effect"
import type { Block, EarlyOutput, Node, Pipeline, PipelineOutput } from "../../pipeline/Pipeline.ts"
import { responder } from "../surroundings/endHooks.ts"
import type { Frame } from "../Frame.ts"
import { both, type Waiting } from "../../reply/parts/OutputParts.ts"
import type { EarlyEmitter } from "../RunState.ts"
import { tryEvaluate } from "../stage/tryEvaluate.ts"

export class EarlyOutputs implements EarlyEmitter {
  readonly pipeline: Pipeline
  private readonly frame: Frame
  private readonly respond: ReturnType<typeof responder>
  private readonly ended = new Set<string>()
  private waiting: ReadonlyArray<EarlyOutput>

  constructor(frame: Frame) {
    this.pipeline = frame.pipeline
    this.frame = frame
    this.respond = responder(frame)
    const { parts } = frame.state
    this.waiting = frame.pipeline.early.filter(
      ({ output: { early, stream } }) => early || (stream && parts !== undefined),
    )
  }

  /** Emits outputs that read no stage. */
  get start(): Effect.Effect<void, StageFailed> {
    return Effect.suspend(() => this.emitReady() ?? Effect.void)
  }

  /** Skipped stages and failures that the run survives count as ended, with all stages inside them. */
  end(node: Node): Effect.Effect<void, StageFailed> | undefined {
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
  private emitReady(): Effect.Effect<void, StageFailed> | undefined {
    const ready = this.waiting.filter(({ after }) => [...after].every((id) => this.ended.has(id)))
    if (ready.length === 0) return undefined
    this.waiting = this.waiting.filter((one) => !ready.includes(one))
    const { frame, respond } = this
    const given = ready.flatMap(({ output }) => {
      const value = tryEvaluate(output.value.evaluate, frame.scope)
      return value instanceof StageFailed || output.validate(value).length > 0
        ? []
        : [{ output, value }]
    })
    if (respond !== undefined) {
      return Effect.forEach(
        given,
        ({ output, value }) =>
          Effect.matchEffect(respond(output, value), {
            onSuccess: (said) => this.give(output, said) ?? Effect.void,
            onFailure: (failure) =>
              failure.class === "blocked" ? Effect.void : Effect.fail(failure),
          }),
        { discard: true },
      )
    }
    let waiting: Waiting
    for (const { output, value } of given) waiting = both(waiting, () => this.give(output, value))
    return waiting
  }

  private give({ early, name, stream }: PipelineOutput, value: Json): Waiting {
    const { emit, parts } = this.frame.state
    const waiting = stream ? parts?.settle(name, value) : undefined
    if (early) emit({ type: "OutputReady", name, value })
    return waiting
  }
}
