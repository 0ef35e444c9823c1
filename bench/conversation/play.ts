/** Plays the conversation in one set-up and counts what its requests hold. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { TestClock } from "effect/testing"
import { parse } from "yaml"
import { run } from "@planloom/core"
import { load } from "@planloom/embed"
import hooks from "@planloom/hooks"
import {
  definePlugin,
  type Json,
  type SessionTurn,
  type Tool,
  type ToolSource,
} from "@planloom/plugin/effect"
import { mechanicalSummary } from "../../packages/engine/core/src/run/session/mechanicalSummary.ts"
import { chain } from "./chain.ts"
import { countRequests, type RequestTokens } from "./countRequests.ts"
import { ScriptedModel, type Turn } from "./ScriptedModel.ts"

export interface SetUp {
  readonly name: string
  readonly first: "full" | "lazy"
  readonly later: "full" | "lazy" | "routing"
  /** Whether an agent that was handed a message answers it at once, without a hop that decides to. */
  readonly isDirect?: true
  /** Turns of the history that stay whole; older ones are summarized by rules. */
  readonly window?: number
}

export interface Played {
  readonly setUp: SetUp
  readonly all: RequestTokens
  /** Requests of hops after the first that decide who answers. */
  readonly laterHops: RequestTokens
  readonly scripted: number
  readonly executed: number
  /** Calls that the engine rejected because their arguments did not fit. */
  readonly rejected: number
  readonly reads: number
}

const folder = join(import.meta.dirname)
const yaml = <A>(name: string): A => parse(readFileSync(join(folder, name), "utf8")) as A

const script = yaml<ReadonlyArray<Turn>>("script.yaml")
const results = yaml<{ readonly [tool: string]: Json }>("results.yaml")
const descriptions = yaml<{ readonly [agent: string]: string }>("agents.yaml")
const user = { id: "ana_3", name: "Ana", tier: "premium", language: "en", zone: "America/Chicago" }

/** Tokens of a summary. */
const SUMMARY_TOKENS = 400

const historyOf = (said: ReadonlyArray<SessionTurn>, { window = said.length }: SetUp): string => {
  const older = mechanicalSummary("", said.slice(0, said.length - window), SUMMARY_TOKENS)
  const recent = window === 0 ? [] : said.slice(-window)
  const lines = recent.map((turn) => `Person: ${turn.user}\nYou: ${turn.assistant}`)
  return [...(older === "" ? [] : [older]), ...lines].join("\n")
}

/** Repeats the script until the conversation has so many messages. */
export const play = (
  setUp: SetUp,
  more: ReadonlyArray<Tool>,
  length = script.length,
): Effect.Effect<Played> =>
  Effect.scoped(
    Effect.gen(function* () {
      // A hook adds a text for the time of day.
      yield* TestClock.setTime(Date.parse("2026-05-18T15:00:00Z"))
      const model = new ScriptedModel()
      const called: Array<string> = []
      const company: ToolSource = {
        id: "company",
        summary: "Tools with scripted results.",
        list: Effect.succeed({ tools: more }),
        catalogTools: { schema: true },
        call: ({ params, tool }) =>
          Effect.sync(() => {
            called.push(`${tool} ${JSON.stringify(params)}`)
            return { value: results[tool] ?? null }
          }),
      }
      const components = { stages: [chain], tools: [company], providers: [model.provider] }
      const { pipeline } = yield* load(join(folder, "workflow.yaml"), {
        plugins: { "@planloom/hooks": async () => hooks },
        extraPlugins: [definePlugin({ id: "bench", summary: "A conversation.", components })],
      })
      const { first, isDirect, later } = setUp
      const said: Array<SessionTurn> = []
      const turns = Array.from({ length }, (_, index) => script[index % script.length]!)
      for (const turn of turns) {
        const hops = turn.hops?.filter((hop) => isDirect !== true || hop !== "answer_here")
        model.start({ ...turn, ...(hops && { hops }) })
        const { agent, message, state = "", tools = [] } = turn
        const inputs = {
          message,
          agent,
          history: historyOf(said, setUp),
          state,
          state_tools: tools,
          descriptions,
          first,
          later,
        }
        const { outputs } = yield* run(pipeline, inputs, { user })
        if (outputs["reply"] !== turn.answer) throw new Error(`no answer to "${message}"`)
        said.push({ user: message, assistant: turn.answer })
      }
      const scripted = turns.flatMap(({ calls }) => calls.flat())
      const executed = scripted.filter(({ params, tool }) =>
        called.includes(`${tool} ${JSON.stringify(params)}`),
      )
      return {
        setUp,
        all: countRequests(model.requests),
        laterHops: countRequests(model.laterHops),
        scripted: scripted.length,
        executed: executed.length,
        rejected: model.guesses,
        reads: model.reads,
      }
    }),
  ).pipe(Effect.orDie, Effect.provide(TestClock.layer()))
