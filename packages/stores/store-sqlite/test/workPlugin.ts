/** Stage kinds and a tool of generated workflows, which report every effect. */
import * as Effect from "effect/Effect"
import {
  StageFailed,
  ToolFailed,
  definePlugin,
  stageKind,
  type Json,
} from "@planloom/plugin/effect"

/** Called before an effect starts, after it has ended, and when it is interrupted. */
export interface World {
  readonly begins: (effect: string) => void
  readonly ends: (effect: string) => void
  readonly stops: (effect: string) => void
}

/** `run` waits some scheduler turns, so that effects of parallel stages end in another order. */
const turns = (count: number): Effect.Effect<void> =>
  count === 0 ? Effect.void : Effect.flatMap(Effect.yieldNow, () => turns(count - 1))

const object = { type: "object", additionalProperties: true }

export const workPlugin = (world: World) => {
  const effect = <A, E>(name: string, n: number, value: Effect.Effect<A, E>) =>
    Effect.suspend(() => {
      world.begins(name)
      const done = Effect.flatMap(turns((n % 4) * 3), () =>
        Effect.tap(value, () => Effect.sync(() => world.ends(name))),
      )
      return Effect.onInterrupt(
        Effect.tapError(done, () => Effect.sync(() => world.ends(name))),
        () => Effect.sync(() => world.stops(name)),
      )
    })
  return definePlugin({
    id: "any",
    summary: "Work that reports every effect.",
    components: {
      stages: [
        stageKind<{ readonly n: number; readonly seen: string; readonly word: string }>({
          id: "work",
          summary:
            "Calls a tool, does a step; some numbers fail, the first time or always, or give what does not fit.",
          input: object,
          output: {
            type: "object",
            properties: { round: { type: "integer" } },
            required: ["round"],
          },
          run: ({ n, seen, word }, context) =>
            Effect.gen(function* () {
              const round = context.feedback?.count ?? 0
              const doubled = yield* Effect.catch(
                context.callTool({
                  tool: "double",
                  params: { n, attempt: context.attempt, round },
                  key: word,
                }),
                () => Effect.succeed(null as Json),
              )
              const own = yield* context.step(
                word,
                effect(
                  `own ${context.path} ${context.attempt} ${round}`,
                  n + 1,
                  Effect.succeed(n + seen.length),
                ),
              )
              if (n % 5 === 3 && context.attempt === 1) {
                return yield* new StageFailed({ class: "unavailable", message: `not yet ${n}` })
              }
              if (n % 7 === 6) {
                return yield* new StageFailed({ class: "unavailable", message: `never ${n}` })
              }
              return n % 11 === 10 ? { doubled, own } : { doubled, own, round }
            }),
        }),
        stageKind<{ readonly path: string; readonly times: number }>({
          id: "calls",
          summary: "Runs another workflow, once or more.",
          input: object,
          output: object,
          refers: ({ path }) =>
            typeof path === "string" ? [{ to: "workflow", id: path, at: ["path"] }] : [],
          run: ({ path, times }, context) =>
            Effect.gen(function* () {
              const all: Array<Json> = []
              for (let made = 0; made < times; made++) all.push(yield* context.workflow(path, {}))
              return { all }
            }),
        }),
        stageKind<{ readonly n: number; readonly word: string }>({
          id: "asks",
          summary: "Asks for a number.",
          input: object,
          output: object,
          run: ({ n, word }, context) =>
            Effect.map(
              context.ask({ key: word, message: "How many?", schema: { type: "integer" } }),
              ({ value }) => ({ value, n }),
            ),
        }),
        stageKind<object>({
          id: "hangs",
          summary: "Never ends by itself.",
          input: object,
          output: object,
          run: (_, context) =>
            context.step(
              "hang",
              effect(`hang ${context.path} ${context.attempt}`, 0, Effect.never),
            ),
        }),
      ],
      tools: [
        {
          id: "numbers",
          summary: "Doubles.",
          list: Effect.succeed({
            tools: [
              {
                name: "double",
                summary: "Doubles.",
                capabilities: [],
                inputs: {},
                params: {
                  type: "object",
                  properties: {
                    n: { type: "integer" },
                    attempt: { type: "integer" },
                    round: { type: "integer" },
                  },
                  required: ["n", "attempt", "round"],
                },
                outputs: ["number"],
              },
            ],
          }),
          call: ({ key, params }) => {
            const n = Number(params["n"])
            return effect(
              `tool ${key} ${params["attempt"]} ${params["round"]}`,
              n,
              n % 4 === 0
                ? Effect.fail(
                    new ToolFailed({ tool: "double", class: "tool_error", message: "no" }),
                  )
                : Effect.succeed({ value: n * 2 }),
            )
          },
        },
      ],
    },
  })
}
