/** Gates in promise style. */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { Failure } from "../run/Failure.ts"
import type {
  Correction,
  Draft,
  Gate as EffectGate,
  GateContext as EffectContext,
  Released,
} from "../component/Review.ts"
import type { Async, AsyncStep, CallSignal } from "./Async.ts"
import { fromAsync } from "./fromAsync.ts"
import { GateCall } from "./GateCall.ts"
import { failureOrDefect } from "./Thrown.ts"
import { translate } from "./translate.ts"

/** The context of a gate. */
export interface GateContext extends Async<Omit<EffectContext, "step">>, AsyncStep, CallSignal {}

/** Reads every reply that a kind marks with `parts: "reply"` before its stage and its host do. */
export interface Gate {
  /**
   * Yields what may be shown, then exactly one `settled`, whose text becomes the output's text. A reply that is not
   * streamed is one text. A failure of the model ends the call: no `catch` takes a broken reply for a whole one.
   */
  readonly open: (
    text: AsyncIterable<string>,
    about: Omit<Draft, "text" | "part">,
    context: GateContext,
  ) => AsyncIterable<Released>
  /** Reviews a settled text that hosts already have; undefined if it stays. */
  readonly after?: (
    text: string,
    about: Omit<Draft, "text" | "part">,
    context: GateContext,
  ) => Correction | undefined | PromiseLike<Correction | undefined>
  /** Its subagents, for `planloom plan`. Without it, the calls of its reviewers are unknown. */
  readonly reviews?: EffectGate["reviews"]
}

/** Declares a gate, for `gate` of what the `bind` of a section returns. */
export const gate = ({ after, open, reviews }: Gate): EffectGate => ({
  ...(reviews && { reviews }),
  ...(after && {
    after: (text, about, context) =>
      fromAsync<Correction | undefined, Failure>(
        (call) => after(text, about, translate(context, call) as GateContext),
        failureOrDefect,
      ),
  }),
  open: (about, context: EffectContext) => (text) =>
    Stream.unwrap(
      Effect.contextWith((services) =>
        Effect.flatMap(Stream.toPull(text), (next) =>
          Effect.map(
            Effect.acquireRelease(
              Effect.sync(
                () =>
                  new GateCall(services, next, (texts, call) =>
                    open(texts, about, translate(context, call) as GateContext),
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
