/** Runs one turn of a chat: a run that can be cancelled separately, with a result for every outcome. */
import type { RunEvent } from "@planloom/plugin/effect"
import type { Cause } from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import type { RunOptions, RunResult } from "@planloom/core"
import { usage, type Refused } from "../Refused.ts"
import { Stacks } from "../run/Stacks.ts"
import { Prompts } from "../run/Prompts.ts"
import type { ChatChannel } from "./ChatChannel.ts"

/** Options that connect a run to the chat channel. */
export type TurnOptions = Required<Pick<RunOptions, "answer" | "onEvent">> &
  Pick<RunOptions, "onPart" | "onReview">

export interface TurnStart {
  /** Events of the run before it is resumed. */
  readonly earlier?: ReadonlyArray<RunEvent>
  /** Called when only later reviews remain. */
  readonly onReview?: (() => void) | undefined
}

/** `begin` starts or resumes a run. */
export const takeTurn = (
  channel: ChatChannel,
  begin: (options: TurnOptions) => Effect.Effect<RunResult, unknown>,
  { earlier = [], onReview }: TurnStart = {},
): Effect.Effect<RunResult, Refused> =>
  Effect.gen(function* () {
    const { RunFold } = yield* Effect.promise(() => import("@planloom/core"))
    const fold = new RunFold()
    const stacks = new Stacks()
    for (const event of earlier) fold.push(event)
    const prompts = new Prompts((wait, signal) => channel.ask(wait, signal))
    const fiber = yield* Effect.forkChild(
      begin({
        answer: prompts.answer,
        onEvent: (event) => {
          fold.push(event)
          stacks.push(event)
          channel.onEvent(event)
          const text = prompts.overruled(event)
          if (text !== undefined) channel.aside(text)
        },
        ...(onReview === undefined ? {} : { onReview }),
        ...(channel.onPart === undefined ? {} : { onPart: channel.onPart }),
      }),
    )
    channel.begin(() => fiber.interruptUnsafe())
    const exit = yield* Effect.onInterrupt(Fiber.await(fiber), () => Fiber.interrupt(fiber))
    const result = Exit.isSuccess(exit) ? exit.value : fold.result()
    if (Exit.isFailure(exit) && result.status === "running") {
      const error = Exit.findErrorOption(exit)
      if (error._tag === "None") return yield* Effect.failCause(exit.cause as Cause<never>)
      return yield* usage((error.value as Error).message)
    }
    channel.end(result)
    yield* stacks.print(result)
    return result
  })
