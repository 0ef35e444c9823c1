/** Takes the turns of a chat: one per message, until the end of input. */
import type { StoreFailed } from "@planloom/plugin/effect"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type { Scope } from "effect/Scope"
import type { RunResult } from "@planloom/core"
import type { ExitName } from "../ExitCode.ts"
import type { Refused } from "../Refused.ts"
import { telemetryOf } from "../run/telemetry.ts"
import { stderr } from "../terminal/Screen.ts"
import { newSession, type Conversation } from "./Conversation.ts"
import { commandIn, type ChatCommand } from "./commandIn.ts"
import { isSettled, untilReview } from "./reviewedTurn.ts"
import { takeTurn, type TurnOptions } from "./takeTurn.ts"

/** `first` is the run of the session that was resumed before. */
export const converse = Effect.fnUntraced(function* (
  conversation: Conversation,
  first: RunResult | undefined,
): Effect.fn.Return<ExitName, Refused | StoreFailed, Scope> {
  const { given, loaded, recording, sessions, channel } = conversation
  const { pipeline, secrets } = loaded
  const { run } = yield* Effect.promise(() => import("@planloom/core"))
  const observed = yield* telemetryOf(loaded)
  let failed = first?.status === "failed"
  let last = first
  let turns = 0
  /** The last turn, whose reviews may not have ended. */
  let pending: Fiber.Fiber<RunResult, Refused> | undefined
  const settled = Effect.suspend(() =>
    pending === undefined
      ? Effect.void
      : Effect.map(Fiber.join(pending), (result) => {
          pending = undefined
          last = result
          if (result.status === "failed") failed = true
        }),
  )
  for (;;) {
    const line = yield* Effect.promise(() => channel.next())
    if (line === undefined) break
    const text = line.trim()
    if (text === "") continue
    const command = commandIn(text)
    if (command !== undefined) {
      if ((yield* runChatCommand(command, conversation)) === "leave") break
      continue
    }
    const inputs = { ...given.inputs, [given.message]: text.replace(/^\/\//, "/") }
    if (pending !== undefined && !(yield* isSettled(channel, pending))) continue
    yield* settled
    const cassette = yield* conversation.cassette()
    turns++
    const onUnsaved = ({ message }: StoreFailed) => {
      failed = true
      channel.say(stderr.style.warn(message))
    }
    const begin = (turn: TurnOptions) =>
      run(pipeline, inputs, {
        ...(cassette === undefined
          ? {}
          : { cassette, onUnrecorded: onUnsaved, run: `turn-${turns}` }),
        user: given.user,
        secrets,
        ...observed,
        session: conversation.session,
        sessions,
        ...(recording === undefined ? {} : recording.options),
        ...turn,
      })
    pending = yield* untilReview(channel, (onReview) => takeTurn(channel, begin, { onReview }))
  }
  if (pending !== undefined && !(yield* isSettled(channel, pending)))
    yield* Fiber.interrupt(pending)
  else yield* settled
  if (last?.status === "suspended" || last?.status === "clarification") return "open"
  return failed && process.stdin.isTTY !== true ? "failed" : "ok"
})

const runChatCommand = Effect.fnUntraced(function* (
  command: ChatCommand,
  conversation: Conversation,
): Effect.fn.Return<"leave" | "stay", StoreFailed> {
  const { sessions, channel } = conversation
  switch (command.does) {
    case "quit":
      return "leave"
    case "new":
      conversation.session = newSession()
      channel.say(stderr.style.dim(`new session: ${conversation.session}`))
      return "stay"
    case "turns": {
      const turns = (yield* sessions.load(conversation.session))?.turns ?? []
      if (turns.length === 0) channel.say(stderr.style.dim("this session has no turns yet"))
      else channel.recall(turns)
      return "stay"
    }
    case "say":
      channel.say(command.text)
      return "stay"
  }
})
