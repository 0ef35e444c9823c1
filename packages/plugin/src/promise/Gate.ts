/** Gates in promise style. */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { CallContext as EffectContext } from "../CallContext.ts"
import type { Failure } from "../Failure.ts"
import type { Draft, Gate as EffectGate, Released } from "../Review.ts"
import type { CallContext } from "./Hook.ts"
import { GateCall } from "./GateCall.ts"
import { translate } from "./translate.ts"

/** Reads every reply that a kind marks with `parts: "reply"` before its stage and its host do. */
export interface Gate {
  /**
   * Yields what may be shown, then exactly one `settled`, whose text becomes the output's text. A reply that is not
   * streamed is one text. A failure of the model ends the call: no `catch` takes a broken reply for a whole one.
   */
  readonly open: (
    text: AsyncIterable<string>,
    about: Omit<Draft, "text" | "part">,
    context: CallContext,
  ) => AsyncIterable<Released>
}

/** Declares a gate, for `gate` of what the `bind` of a section returns. */
export const gate = ({ open }: Gate): EffectGate => ({
  open: (about, context: EffectContext) => (text) =>
    Stream.unwrap(
      Effect.contextWith((services) =>
        Effect.flatMap(Stream.toPull(text), (next) =>
          Effect.map(
            Effect.acquireRelease(
              Effect.sync(
                () =>
                  new GateCall(services, next, (texts, call) =>
                    open(texts, about, translate(context, call) as CallContext),
                  ),
              ),
              (call) => call.close,
            ),
            ({ pull }) =>
              Stream.fromPull<Released, Failure, never, never, never>(Effect.succeed(pull)),
          ),
        ),
      ),
    ),
})
