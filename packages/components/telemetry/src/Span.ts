/** A span of a trace while it is open, and as OTLP writes it once it has ended. */
import { random } from "effect/encoding/Hex"
import { entriesToAttributes } from "effect/observability/OtlpResource"
import type { TraceData } from "effect/observability/OtlpTracer"

export type OtlpSpan = TraceData["resourceSpans"][number]["scopeSpans"][number]["spans"][number]

/** Undefined attributes are left out. */
export interface Attributes {
  readonly [name: string]: string | number | boolean | undefined
}

/** Values of OTLP's enumerations. */
const kinds = { internal: 1, client: 3 } as const
const status = { unset: 0, error: 2 } as const

export class Span {
  readonly id = random(16)
  private readonly trace: string
  private readonly parent: string | undefined
  private readonly name: string
  private readonly kind: keyof typeof kinds
  /** Epoch milliseconds. */
  private readonly start: number
  private readonly attributes = new Map<string, string | number | boolean>()

  constructor(given: {
    readonly trace: string
    readonly parent?: Span | undefined
    readonly name: string
    readonly kind?: keyof typeof kinds
    readonly start: number
    readonly attributes?: Attributes
  }) {
    this.trace = given.trace
    this.parent = given.parent?.id
    this.name = given.name
    this.kind = given.kind ?? "internal"
    this.start = given.start
    this.set(given.attributes)
  }

  set(attributes: Attributes = {}): void {
    for (const [name, value] of Object.entries(attributes)) {
      if (value !== undefined) this.attributes.set(name, value)
    }
  }

  /** `error`: the class of the failure. Its message is left out, because it may quote inputs or model text. */
  ended(at: number, error?: string): OtlpSpan {
    this.set({ "error.type": error })
    return {
      traceId: this.trace,
      spanId: this.id,
      parentSpanId: this.parent,
      name: this.name,
      kind: kinds[this.kind],
      startTimeUnixNano: nanoseconds(this.start),
      endTimeUnixNano: nanoseconds(Math.max(at, this.start)),
      attributes: entriesToAttributes(this.attributes),
      droppedAttributesCount: 0,
      events: [],
      droppedEventsCount: 0,
      status: error === undefined ? { code: status.unset } : { code: status.error, message: error },
      links: [],
      droppedLinksCount: 0,
    }
  }
}

const nanoseconds = (ms: number): string => `${Math.round(ms)}000000`
