/** Generated workflows, and a world that counts their effects. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as fc from "fast-check"
import {
  StageFailed,
  ToolFailed,
  definePlugin,
  stageKind,
  type Json,
  type JsonObject,
} from "@planloom/plugin/effect"
import { load } from "@planloom/embed"

/** Called before an effect starts, after it has ended, and when it is interrupted. */
export interface World {
  readonly begins: (effect: string) => void
  readonly ends: (effect: string) => void
  readonly stops: (effect: string) => void
}

interface Work {
  readonly type: "work"
  readonly n: number
  readonly each?: ReadonlyArray<number>
  readonly parallel: number
  /** Number of stages to go back when the assertion fails. */
  readonly back?: number
}
interface Asks {
  readonly type: "asks"
  readonly n: number
}
interface Hangs {
  readonly type: "hangs"
}
interface Blocks {
  readonly type: "block"
  readonly stages: ReadonlyArray<Shape>
  readonly graph: boolean
  readonly late: boolean
  readonly times: number
}
export type Shape = (Work | Asks | Hangs | Blocks) & {
  readonly onError: "fail" | "continue" | "fallback"
  readonly retry: boolean
  /** The preceding stages it needs, in a graph. */
  readonly needs: number
}

export interface Whole {
  readonly stages: ReadonlyArray<Shape>
  readonly graph: boolean
  readonly tidy: boolean
}

const policy = {
  onError: fc.constantFrom("fail" as const, "continue" as const, "fallback" as const),
  retry: fc.boolean(),
  needs: fc.nat({ max: 7 }),
}

const number = fc.nat({ max: 30 })

const shape = (depth: number): fc.Arbitrary<Shape> =>
  fc.oneof(
    {
      weight: 5,
      arbitrary: fc.record(
        {
          type: fc.constant("work" as const),
          n: number,
          each: fc.array(number, { maxLength: 4 }),
          parallel: fc.integer({ min: 1, max: 3 }),
          back: fc.nat({ max: 2 }),
          ...policy,
        },
        { requiredKeys: ["type", "n", "parallel", "onError", "retry", "needs"] },
      ),
    },
    {
      weight: 1,
      arbitrary: fc.record({ type: fc.constant("asks" as const), n: number, ...policy }),
    },
    { weight: 1, arbitrary: fc.record({ type: fc.constant("hangs" as const), ...policy }) },
    ...(depth === 0
      ? []
      : [
          {
            weight: 2,
            arbitrary: fc.record({
              type: fc.constant("block" as const),
              stages: fc.array(shape(depth - 1), { minLength: 1, maxLength: 3 }),
              graph: fc.boolean(),
              late: fc.boolean(),
              times: fc.nat({ max: 2 }),
              ...policy,
            }),
          },
        ]),
  )

export const anyWorkflow: fc.Arbitrary<Whole> = fc.record({
  stages: fc.array(shape(2), { minLength: 1, maxLength: 4 }),
  graph: fc.boolean(),
  tidy: fc.boolean(),
})

/** `run` waits some scheduler turns, so that effects of parallel stages end in another order. */
const turns = (count: number): Effect.Effect<void> =>
  count === 0 ? Effect.void : Effect.flatMap(Effect.yieldNow, () => turns(count - 1))

const object = { type: "object", additionalProperties: true }

const plugin = (world: World) => {
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
        stageKind<{ readonly n: number; readonly seen: string }>({
          id: "work",
          summary: "Calls a tool, does a step; some numbers fail, the first time or always.",
          input: object,
          output: {
            type: "object",
            properties: { round: { type: "integer" } },
            required: ["round"],
          },
          run: ({ n, seen }, context) =>
            Effect.gen(function* () {
              const round = context.feedback?.count ?? 0
              const doubled = yield* Effect.catch(
                context.callTool({
                  tool: "double",
                  params: { n, attempt: context.attempt, round },
                  key: "double",
                }),
                () => Effect.succeed(null as Json),
              )
              const own = yield* context.step(
                "own",
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
              return { doubled, own, round }
            }),
        }),
        stageKind<{ readonly n: number }>({
          id: "asks",
          summary: "Asks for a number.",
          input: object,
          output: object,
          run: ({ n }, context) =>
            Effect.map(
              context.ask({ message: "How many?", schema: { type: "integer" } }),
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

/** Stages by shape. The value of a stage includes what it reads from its predecessor. */
const stagesOf = (
  shapes: ReadonlyArray<Shape>,
  graph: boolean,
  prefix: string,
): ReadonlyArray<JsonObject> =>
  shapes.map((given, index) => {
    const id = `${prefix}${index}`
    const needed = shapes.flatMap((_, other) =>
      other < index && (given.needs & (1 << other)) !== 0 ? [`${prefix}${other}`] : [],
    )
    const before = graph ? needed.at(-1) : index > 0 ? `${prefix}${index - 1}` : undefined
    const seen =
      before === undefined
        ? ""
        : `\${{ has(stages.${before}.output) ? json(stages.${before}.output) : "none" }}`
    return {
      id,
      ...(graph ? { needs: needed } : {}),
      ...(given.retry ? { retry: "again" } : {}),
      ...(given.onError === "continue" ? { on_error: "continue" } : {}),
      ...(given.onError === "fallback" && given.type !== "block"
        ? { on_error: "fallback", fallback: { uses: "work", with: { n: 1, seen: "" } } }
        : {}),
      ...workOf(given, id, prefix, index, shapes, graph, needed, seen),
    }
  })

const workOf = (
  given: Shape,
  id: string,
  prefix: string,
  index: number,
  shapes: ReadonlyArray<Shape>,
  graph: boolean,
  needed: ReadonlyArray<string>,
  seen: string,
): JsonObject => {
  switch (given.type) {
    case "work": {
      if (given.each !== undefined) {
        return {
          uses: "work",
          for_each: { in: `[${given.each.join(", ")}]`, as: "n", max_parallel: given.parallel },
          with: { n: "${{ n }}", seen },
        }
      }
      const target = given.back === undefined ? undefined : index - given.back
      const of = target === undefined ? undefined : shapes[target]
      const name = `${prefix}${target}`
      const goes =
        of?.type === "work" &&
        of.each === undefined &&
        of.onError === "fail" &&
        given.onError === "fail" &&
        (target === index || !graph || needed.includes(name))
      return {
        uses: "work",
        with: { n: given.n, seen },
        ...(goes
          ? {
              assert: [
                {
                  that: `stages.${name}.output.round > 0`,
                  on_fail: { rerun: name, max_reruns: 1 },
                },
              ],
            }
          : {}),
      }
    }
    case "asks":
      return { uses: "asks", with: { n: given.n } }
    case "hangs":
      return { uses: "hangs", timeout: "100ms", with: {} }
    case "block":
      return {
        ...(given.late ? { timeout: "60ms" } : {}),
        ...(given.times > 0
          ? {
              repeat: {
                max_iterations: given.times,
                until: "false",
                carry: { sum: 0 },
                next: { sum: "${{ iter.sum + 1 }}" },
              },
            }
          : {}),
        stages: stagesOf(given.stages, given.graph, `${id}_`),
      }
  }
}

const documentOf = ({ graph, stages, tidy }: Whole): JsonObject => ({
  apiVersion: "planloom/v1",
  kind: "Workflow",
  name: "any",
  policies: {
    retry: { again: { max_retries: 1, delay: "1ms", on: ["unavailable", "timeout", "assertion"] } },
  },
  stages: stagesOf(stages, graph, "s"),
  ...(tidy
    ? { finally: [{ id: "tidy", uses: "work", with: { n: 2, seen: "${{ outcome }}" } }] }
    : {}),
  outputs: Object.fromEntries(
    stages.map((_, index) => [
      `o${index}`,
      `\${{ has(stages.s${index}.output) ? json(stages.s${index}.output) : "none" }}`,
    ]),
  ),
})

export const loadAny = (whole: Whole, folder: string, world: World) => {
  const path = join(folder, "workflow.yaml")
  writeFileSync(path, JSON.stringify(documentOf(whole), null, 2))
  return load(path, { extraPlugins: [plugin(world)] })
}
