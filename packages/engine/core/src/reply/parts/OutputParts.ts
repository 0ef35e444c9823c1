/** Parts of streamed outputs: what a host has received of each, and what it must receive next. */
import * as Effect from "effect/Effect"
import type { Json, Part } from "@planloom/plugin/effect"

/** Receives parts, in order. The provider is not read while a returned effect runs. Must not throw. */
export type PartListener = (part: Part) => void | Effect.Effect<void>

/** Why received text is void. */
export type ResetCause = Extract<Part, { readonly type: "reset" }>["cause"]

/** An output as its workflow declares it. */
export interface DeclaredOutput {
  readonly name: string
  /** Parts of it reach the host while its stage writes it. */
  readonly stream: boolean
}

interface Delivered {
  /** The reply that the text is from. */
  message: string
  text: string
  /** A value was given. */
  hasValue: boolean
  /** Number of texts so far, void ones included. */
  revision: number
  /** The reply came to its end. */
  isWhole: boolean
  isSettled: boolean
}

export class OutputParts {
  /** Those of the run's own workflow: outputs of workflows inside it are values of their stages. */
  readonly declared: ReadonlyArray<DeclaredOutput>
  private readonly listener: PartListener
  /** For values that come from elsewhere than a reply. */
  private readonly redact: (<A extends Json>(value: A) => A) | undefined
  private readonly outputs = new Map<string, Delivered>()

  constructor(
    declared: ReadonlyArray<DeclaredOutput>,
    listener: PartListener,
    redact?: <A extends Json>(value: A) => A,
  ) {
    this.declared = declared
    this.listener = listener
    this.redact = redact
  }

  /** Starts the text of a reply; text of an earlier one is void. */
  open(output: string, message: string, cause: ResetCause): Waiting {
    const delivered = this.of(output, message)
    const waiting = this.reset(output, delivered, cause)
    delivered.message = message
    return waiting
  }

  text(output: string, text: string): Waiting {
    const delivered = this.outputs.get(output)!
    delivered.text += text
    return this.give({ output, message: delivered.message, type: "text", text })
  }

  /** Gives the value so far; `read` is called when the host reads it. */
  value(output: string, read: () => Json): Waiting {
    const delivered = this.outputs.get(output)!
    delivered.hasValue = true
    const { message } = delivered
    return this.give({
      output,
      message,
      type: "value",
      get value() {
        return read()
      },
    })
  }

  /** Ends the text of a reply: what has been received becomes exactly `text`. */
  end(output: string, message: string, text: string): Waiting {
    const delivered = this.of(output, message)
    delivered.isWhole = true
    return this.complete(output, delivered, text)
  }

  /** Voids the text of a reply that has turned out to call tools. */
  discard(output: string, message: string): Waiting {
    return this.reset(output, this.of(output, message), "tool_call")
  }

  /** Called once the output is final; a second call has no effect. */
  settle(output: string, given: Json): Waiting {
    const value = this.redact === undefined ? given : this.redact(given)
    const delivered = this.of(output, output)
    if (delivered.isSettled) return undefined
    delivered.isSettled = true
    const { message } = delivered
    return both(
      typeof value === "string" && !delivered.hasValue
        ? this.complete(output, delivered, value)
        : this.give({ output, message, type: "value", value }),
      // Read here: the text may have been reset on the way.
      () => this.give({ output, message, type: "settled", revision: delivered.revision }),
    )
  }

  /** Replaces the text of a settled output; one that begins with the text before continues it. */
  correct(output: string, given: string): Waiting {
    const text = this.redact === undefined ? given : this.redact(given)
    const delivered = this.of(output, output)
    if (!delivered.isSettled) return this.settle(output, text)
    delivered.isWhole = true
    if (text.startsWith(delivered.text)) delivered.revision++
    return both(this.complete(output, delivered, text), () =>
      this.give({
        output,
        message: delivered.message,
        type: "settled",
        revision: delivered.revision,
      }),
    )
  }

  /** Settles what a recorded run that has ended, or stages that were not run again, have given no parts of. */
  settleAll(outputs: { readonly [name: string]: Json }): Effect.Effect<void> {
    const waiting = each(this.declared, ({ name, stream }) =>
      stream ? this.settle(name, outputs[name]!) : undefined,
    )
    return waiting ?? Effect.void
  }

  private complete(output: string, delivered: Delivered, text: string): Waiting {
    if (text === delivered.text) return undefined
    const waiting = text.startsWith(delivered.text)
      ? undefined
      : this.reset(output, delivered, delivered.isWhole ? "verdict" : "fallback")
    const rest = text.slice(delivered.text.length)
    return both(waiting, () => (rest === "" ? undefined : this.text(output, rest)))
  }

  private reset(output: string, delivered: Delivered, cause: ResetCause): Waiting {
    delivered.isWhole = false
    if (delivered.text === "" && !delivered.hasValue) return undefined
    delivered.text = ""
    delivered.hasValue = false
    delivered.revision++
    return this.give({ output, message: delivered.message, type: "reset", cause })
  }

  private of(output: string, message: string): Delivered {
    let delivered = this.outputs.get(output)
    if (delivered === undefined) {
      delivered = {
        message,
        text: "",
        hasValue: false,
        revision: 1,
        isWhole: false,
        isSettled: false,
      }
      this.outputs.set(output, delivered)
    }
    return delivered
  }

  private give(part: Part): Waiting {
    return this.listener(part) ?? undefined
  }
}

/** What must end before anything more is given; undefined for nothing. */
export type Waiting = Effect.Effect<void> | undefined

/** Runs the second once the first has been received. */
export const both = (first: Waiting, second: () => Waiting): Waiting =>
  first === undefined
    ? second()
    : Effect.andThen(
        first,
        Effect.suspend(() => second() ?? Effect.void),
      )

/** The same for many. */
export const each = <A>(items: ReadonlyArray<A>, give: (item: A) => Waiting): Waiting => {
  let waiting: Waiting
  for (const item of items) waiting = both(waiting, () => give(item))
  return waiting
}
