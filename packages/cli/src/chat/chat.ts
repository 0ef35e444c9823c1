/** Does what `planloom chat` asks: message after message, until nobody says anything any more. */
import type { RunStore, SessionStore, StoreFailed } from "@planloom/plugin"
import * as Effect from "effect/Effect"
import type { RunResult } from "@planloom/core"
import type { InputFlags, ReadingFlags } from "../commands/options.ts"
import type { Doing } from "../deferred.ts"
import type { ExitName } from "../ExitCode.ts"
import { withDefinition, withLoaded } from "../project/withWorkflow.ts"
import { problem, usage, type Refused } from "../Refused.ts"
import {
  onUnrecorded,
  readDefinition,
  withRecording,
  type Loaded,
  type RunRecording,
} from "../run/recording.ts"
import type { CassetteFlags } from "../run/withCassette.ts"
import { stderr } from "../terminal/Screen.ts"
import { commandIn, type ChatCommand } from "./commandIn.ts"
import { ready, type Ready } from "./ready.ts"
import { takeTurn } from "./takeTurn.ts"
import type { Talk } from "./Talk.ts"
import { turnCassettes, type NextCassette } from "./turnCassettes.ts"
import { coldModels, warmUp } from "./warmUp.ts"

export interface ChatFlags extends InputFlags, ReadingFlags, CassetteFlags {
  readonly workflow: string
  readonly session: string | undefined
  readonly continue: boolean
  readonly messageInput: string | undefined
  readonly yes: boolean
  readonly json: boolean
  readonly store: boolean | undefined
}

export const chat: Doing<ChatFlags> = (flags) =>
  withLoaded(flags.workflow, flags, (loaded) =>
    Effect.flatMap(ready(loaded, flags), (given) =>
      withRecording(stored(flags), loaded, (recording) =>
        Effect.catchTag(talking(loaded, given, flags, recording), "StoreFailed", ({ message }) =>
          Effect.fail(problem(message)),
        ),
      ),
    ),
  )

const isOnCassette = ({ record, replay }: CassetteFlags): boolean =>
  record !== undefined || replay !== undefined

/** The calls are on the cassette: a conversation with one is none of the project. */
const stored = (flags: ChatFlags) => ({
  ...flags,
  session: undefined,
  ...(isOnCassette(flags) ? { store: false } : {}),
})

const talking = Effect.fnUntraced(function* (
  loaded: Loaded,
  given: Ready,
  flags: ChatFlags,
  recording: RunRecording | undefined,
): Effect.fn.Return<ExitName, Refused | StoreFailed> {
  const { memorySessions } = yield* Effect.promise(() => import("@planloom/core"))
  const store = recording?.options.store
  const sessions = store?.sessions ?? memorySessions()
  const session = yield* chosen(loaded, flags, store)
  const before = session === undefined ? undefined : yield* sessions.load(session)
  const talk = yield* openTalk(flags, before?.turns.map(({ user }) => user) ?? [])
  const conversation: Conversation = {
    loaded,
    given,
    recording,
    sessions,
    talk,
    cassette: turnCassettes(flags, loaded),
    session: session ?? newSession(),
  }
  return yield* Effect.ensuring(
    Effect.gen(function* () {
      welcome(conversation, flags)
      if (before !== undefined) talk.recall(before.turns.slice(-RECALLED))
      // On a pipe the first message is there already, and nobody types while a model is loaded.
      if (flags.replay === undefined && isPerson(flags)) {
        yield* Effect.forkChild(loadAhead(conversation))
      }
      const open = yield* goOn(conversation, store)
      const ended = yield* converse(conversation, open)
      yield* farewell(conversation, flags, store)
      return ended
    }),
    Effect.sync(() => talk.close()),
  )
})

/** Turns that are shown when a conversation goes on. */
const RECALLED = 3

interface Conversation {
  readonly loaded: Loaded
  readonly given: Ready
  readonly recording: RunRecording | undefined
  readonly sessions: SessionStore
  readonly talk: Talk
  readonly cassette: NextCassette
  session: string
}

const newSession = (): string => crypto.randomUUID().slice(0, 8)

const isPerson = ({ json }: ChatFlags): boolean =>
  !json && process.stdin.isTTY === true && stderr.live

const openTalk = (flags: ChatFlags, history: ReadonlyArray<string>): Effect.Effect<Talk> =>
  Effect.promise(async () => {
    const { json, yes } = flags
    if (!isPerson(flags)) return new (await import("./PipeTalk.ts")).PipeTalk({ json, yes })
    return new (await import("./TerminalTalk.ts")).TerminalTalk({ yes, history })
  })

/** Undefined: a new one. */
const chosen = Effect.fnUntraced(function* (
  { definition }: Loaded,
  flags: ChatFlags,
  store: RunStore | undefined,
): Effect.fn.Return<string | undefined, Refused | StoreFailed> {
  if (!flags.continue) return flags.session
  if (flags.session !== undefined) {
    return yield* usage("--continue and --session name two conversations", "give one of them")
  }
  if (store === undefined) return yield* usage("--continue needs what --no-store leaves out")
  // Also one whose first turn still waits for an answer.
  const runs = yield* store.list({ workflow: definition.name, limit: 1000 })
  const last = runs.find(({ session }) => session !== undefined)?.session
  if (last === undefined) {
    return yield* problem(
      `nobody has talked with "${definition.name}" here yet`,
      `planloom chat ${flags.workflow} begins`,
    )
  }
  return last
})

/** A run of the session that waits for an answer is gone on with first, as its workflow was when it began. */
const goOn = Effect.fnUntraced(function* (
  { session, sessions, talk }: Conversation,
  store: RunStore | undefined,
): Effect.fn.Return<RunResult | undefined, Refused | StoreFailed> {
  const waiting = yield* sessions.waiting(session)
  if (waiting === undefined || store === undefined) return undefined
  const definition = readDefinition(yield* store.definition(waiting))
  if (definition === undefined) return undefined
  const earlier = yield* store.events(waiting)
  let ended: RunResult | undefined
  yield* withDefinition(definition, ({ pipeline, secrets }) =>
    Effect.gen(function* () {
      const { resume } = yield* Effect.promise(() => import("@planloom/record"))
      ended = yield* takeTurn(
        talk,
        (hearing) => resume(pipeline, waiting, { store, secrets, onUnrecorded, ...hearing }),
        earlier,
      )
      return "ok" as ExitName
    }),
  )
  return ended
})

const converse = Effect.fnUntraced(function* (
  conversation: Conversation,
  first: RunResult | undefined,
): Effect.fn.Return<ExitName, Refused | StoreFailed> {
  const { given, loaded, recording, sessions, talk } = conversation
  const { pipeline, secrets } = loaded
  const { run } = yield* Effect.promise(() => import("@planloom/core"))
  let failed = first?.status === "failed"
  let last = first
  let turns = 0
  for (;;) {
    const line = yield* Effect.promise(() => talk.next())
    if (line === undefined) break
    const text = line.trim()
    if (text === "") continue
    const command = commandIn(text)
    if (command !== undefined) {
      if ((yield* obey(command, conversation)) === "leave") break
      continue
    }
    const inputs = { ...given.inputs, [given.message]: text.replace(/^\/\//, "/") }
    const cassette = yield* conversation.cassette()
    turns++
    const onUnsaved = ({ message }: StoreFailed) => {
      failed = true
      talk.say(stderr.style.warn(message))
    }
    last = yield* takeTurn(talk, (hearing) =>
      run(pipeline, inputs, {
        ...(cassette === undefined
          ? {}
          : { cassette, onUnrecorded: onUnsaved, run: `turn-${turns}` }),
        secrets,
        session: conversation.session,
        sessions,
        ...(recording === undefined ? {} : recording.options),
        ...hearing,
      }),
    )
    if (last.status === "failed") failed = true
  }
  if (last?.status === "suspended" || last?.status === "clarification") return "open"
  return failed && process.stdin.isTTY !== true ? "failed" : "ok"
})

const obey = Effect.fnUntraced(function* (
  command: ChatCommand,
  conversation: Conversation,
): Effect.fn.Return<"leave" | "go on", StoreFailed> {
  const { sessions, talk } = conversation
  switch (command.does) {
    case "quit":
      return "leave"
    case "new":
      conversation.session = newSession()
      talk.say(stderr.style.dim(`a new conversation: session ${conversation.session}`))
      return "go on"
    case "turns": {
      const turns = (yield* sessions.load(conversation.session))?.turns ?? []
      if (turns.length === 0) talk.say(stderr.style.dim("nothing is kept of this conversation yet"))
      else talk.recall(turns)
      return "go on"
    }
    case "say":
      talk.say(command.text)
      return "go on"
  }
})

/** Nobody waits for it: a provider's SDK alone takes half a second to load, and a server that hangs two. */
const loadAhead = Effect.fnUntraced(function* ({ loaded, talk }: Conversation) {
  const models = yield* coldModels(loaded)
  if (models.length === 0) return
  const names = models.map(({ name }) => name).join(", ")
  talk.aside(stderr.style.dim(`loading ${names} meanwhile`))
  yield* warmUp(models)
})

const welcome = ({ loaded, recording, session, talk }: Conversation, flags: ChatFlags): void => {
  if (!isPerson(flags)) return
  const { style } = stderr
  const kept = recording === undefined ? "kept until you leave" : `session ${session}`
  talk.say(`${style.bold(loaded.definition.name)} ${style.dim(`· ${kept} · /help`)}`)
}

const farewell = Effect.fnUntraced(function* (
  { session, talk }: Conversation,
  flags: ChatFlags,
  store: RunStore | undefined,
) {
  if (!isPerson(flags) || store === undefined) return
  const kept = (yield* store.sessions.load(session)) ?? (yield* store.sessions.waiting(session))
  if (kept === undefined) return
  talk.say(stderr.style.dim(`go on with it: planloom chat ${flags.workflow} --session ${session}`))
})
