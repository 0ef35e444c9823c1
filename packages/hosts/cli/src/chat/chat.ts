/** Implements `planloom chat`: opens a session, takes its turns, and says how to continue it. */
import type { RunStore, StoreFailed } from "@planloom/plugin/effect"
import * as Effect from "effect/Effect"
import type { RunResult } from "@planloom/core"
import type { InputFlags, ReadingFlags } from "../commands/options.ts"
import type { Handler } from "../deferred.ts"
import type { ExitName } from "../ExitCode.ts"
import { resumedBy } from "../runs/recordedRun.ts"
import { withDefinition, withLoaded } from "../project/withWorkflow.ts"
import { problem, usage, type Refused } from "../Refused.ts"
import { withNamedFiles } from "../run/namedFiles.ts"
import {
  onUnrecorded,
  readDefinition,
  withRecording,
  type Loaded,
  type RunRecording,
} from "../run/recording.ts"
import { telemetryOf } from "../run/telemetry.ts"
import type { CassetteFlags } from "../run/withCassette.ts"
import { stderr, textWidth } from "../terminal/Screen.ts"
import { readChatInputs, type ChatInputs } from "./chatInputs.ts"
import { converse } from "./converse.ts"
import { newSession, type Conversation } from "./Conversation.ts"
import { takeTurn } from "./takeTurn.ts"
import type { ChatChannel } from "./ChatChannel.ts"
import { turnCassettes } from "./turnCassettes.ts"
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

export const chat: Handler<ChatFlags> = (flags) =>
  withLoaded(flags.workflow, flags, (loaded) =>
    Effect.flatMap(readChatInputs(loaded, flags), (given) =>
      Effect.flatMap(withNamedFiles(loaded, given.inputs, flags), (named) =>
        withRecording(recordingFlags(named.flags), loaded, (recording) =>
          Effect.catchTag(
            openSession(named.loaded, given, flags, recording),
            "StoreFailed",
            ({ message }) => Effect.fail(problem(message)),
          ),
        ),
      ),
    ),
  )

const isOnCassette = ({ record, replay }: CassetteFlags): boolean =>
  record !== undefined || replay !== undefined

/** A session with a cassette is not stored in the project: its calls are on the cassette. */
const recordingFlags = (flags: ChatFlags) => ({
  ...flags,
  session: undefined,
  ...(isOnCassette(flags) ? { store: false } : {}),
})

const openSession = Effect.fnUntraced(function* (
  loaded: Loaded,
  given: ChatInputs,
  flags: ChatFlags,
  recording: RunRecording | undefined,
): Effect.fn.Return<ExitName, Refused | StoreFailed> {
  const { memorySessions } = yield* Effect.promise(() => import("@planloom/core"))
  const store = recording?.options.store
  const sessions = store?.sessions ?? memorySessions()
  const session = yield* sessionName(loaded, flags, store)
  const before = session === undefined ? undefined : yield* sessions.load(session)
  const channel = yield* openChannel(loaded, flags, before?.turns.map(({ user }) => user) ?? [])
  const conversation: Conversation = {
    loaded,
    given,
    recording,
    sessions,
    channel,
    cassette: turnCassettes(flags, loaded),
    session: session ?? newSession(),
  }
  return yield* Effect.ensuring(
    Effect.gen(function* () {
      welcome(conversation, flags)
      if (before !== undefined) channel.recall(before.turns.slice(-RECALLED_TURNS))
      // On a pipe the first message is already available, so no time is saved.
      if (flags.replay === undefined && isPerson(flags)) {
        yield* Effect.forkChild(loadAhead(conversation))
      }
      const open = yield* resumeWaiting(conversation, store)
      const ended = yield* Effect.scoped(converse(conversation, open))
      yield* farewell(conversation, flags, store)
      return ended
    }),
    Effect.sync(() => channel.close()),
  )
})

/** Number of turns shown when a session continues. */
const RECALLED_TURNS = 3

const isPerson = ({ json }: ChatFlags): boolean =>
  !json && process.stdin.isTTY === true && stderr.live

const openChannel = (
  { definition }: Loaded,
  flags: ChatFlags,
  history: ReadonlyArray<string>,
): Effect.Effect<ChatChannel> =>
  Effect.promise(async () => {
    const { json, yes } = flags
    const replies = new Set(
      Object.entries(definition.outputs).flatMap(([name, { stream }]) => (stream ? name : [])),
    )
    if (!isPerson(flags))
      return new (await import("./PipeChannel.ts")).PipeChannel({ json, yes, replies })
    return new (await import("./TerminalChannel.ts")).TerminalChannel({ yes, history, replies })
  })

/** Returns the session of the flags; undefined for a new one. */
const sessionName = Effect.fnUntraced(function* (
  { definition }: Loaded,
  flags: ChatFlags,
  store: RunStore | undefined,
): Effect.fn.Return<string | undefined, Refused | StoreFailed> {
  if (!flags.continue) return flags.session
  if (flags.session !== undefined) {
    return yield* usage("--continue and --session exclude each other", "use one of them")
  }
  if (store === undefined)
    return yield* usage("--continue needs the store that --no-store disables")
  // Runs also include a session whose first turn still waits for an answer.
  const runs = yield* store.list({ workflow: definition.name, limit: 1000 })
  const last = runs.find(({ session }) => session !== undefined)?.session
  if (last === undefined) {
    return yield* problem(
      `"${definition.name}" has no session here yet`,
      `start one: planloom chat ${flags.workflow}`,
    )
  }
  return last
})

/** Resumes a run of the session that waits for an answer, with the workflow it started with. */
const resumeWaiting = Effect.fnUntraced(function* (
  { given: { user }, session, sessions, channel }: Conversation,
  store: RunStore | undefined,
): Effect.fn.Return<RunResult | undefined, Refused | StoreFailed> {
  const waiting = yield* sessions.waiting(session)
  if (waiting === undefined || store === undefined) return undefined
  const definition = readDefinition(yield* store.definition(waiting))
  if (definition === undefined) return undefined
  const earlier = yield* store.events(waiting)
  let ended: RunResult | undefined
  yield* withDefinition(definition, (loaded) =>
    Effect.gen(function* () {
      const { pipeline, secrets } = loaded
      const observed = yield* telemetryOf(loaded)
      const { resume } = yield* Effect.promise(() => import("@planloom/record"))
      ended = yield* takeTurn(
        channel,
        (turn) =>
          resume(pipeline, waiting, {
            store,
            user,
            secrets,
            onUnrecorded,
            by: resumedBy(undefined),
            ...observed,
            ...turn,
          }),
        { earlier },
      )
      return "ok" as ExitName
    }).pipe(Effect.scoped),
  )
  return ended
})

/** Loads models in the background: a provider's SDK takes half a second to load, a server that hangs two. */
const loadAhead = Effect.fnUntraced(function* ({ loaded, channel }: Conversation) {
  const models = yield* coldModels(loaded)
  if (models.length === 0) return
  const names = models.map(({ name }) => name).join(", ")
  channel.aside(stderr.style.dim(`loading ${names} in the background`))
  yield* warmUp(models)
})

const welcome = ({ loaded, recording, session, channel }: Conversation, flags: ChatFlags): void => {
  if (!isPerson(flags)) return
  const { style } = stderr
  const kept = recording === undefined ? "kept until you leave" : `session ${session}`
  const { name } = loaded.definition
  const rest = `· ${kept} · /help`
  const isNarrow = textWidth(stderr) <= name.length + rest.length
  channel.say(`${style.bold(name)}${isNarrow ? "\n" : " "}${style.dim(rest)}`)
}

const farewell = Effect.fnUntraced(function* (
  { session, channel }: Conversation,
  flags: ChatFlags,
  store: RunStore | undefined,
) {
  if (!isPerson(flags) || store === undefined) return
  const kept = (yield* store.sessions.load(session)) ?? (yield* store.sessions.waiting(session))
  if (kept === undefined) return
  channel.say(
    stderr.style.dim(`continue this session: planloom chat ${flags.workflow} --session ${session}`),
  )
})
