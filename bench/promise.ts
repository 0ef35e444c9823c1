/** Overhead of promise-style stage kinds over Effect-style ones, in microseconds per call. */
import * as Effect from "effect/Effect"
import { stageKind as effectKind, type StageContext, type StageKind } from "@planloom/plugin/effect"
import { stageKind } from "@planloom/plugin"

const CALLS = 20_000
const ROUNDS = 5

const described = {
  id: "probe",
  summary: "Probe.",
  input: { type: "object" },
  output: true,
} as const

/** Members that answer at once, so that only the styles differ. */
const context = {
  now: Effect.succeed(1),
  callTool: () => Effect.succeed("result"),
} as unknown as StageContext

const cases: { readonly [name: string]: readonly [effect: StageKind, promise: StageKind] } = {
  "returns a value": [
    effectKind({ ...described, run: () => Effect.succeed(1) }),
    stageKind({ ...described, run: async () => 1 }),
  ],
  "calls one member of its context": [
    effectKind({ ...described, run: (_, { now }) => now }),
    stageKind({ ...described, run: (_, { now }) => now() }),
  ],
  "calls ten members in turn": [
    effectKind({
      ...described,
      run: (_, { callTool }) =>
        Effect.gen(function* () {
          for (let key = 0; key < 10; key++) {
            yield* callTool({ tool: "t", params: {}, key: `${key}` })
          }
          return 1
        }),
    }),
    stageKind({
      ...described,
      run: async (_, { callTool }) => {
        for (let key = 0; key < 10; key++) await callTool({ tool: "t", params: {}, key: `${key}` })
        return 1
      },
    }),
  ],
}

const microseconds = async (kind: StageKind): Promise<number> => {
  const work = Effect.gen(function* () {
    for (let call = 0; call < CALLS; call++) yield* kind.run!({} as never, context)
  })
  const times: Array<number> = []
  for (let round = 0; round < ROUNDS; round++) {
    const began = performance.now()
    await Effect.runPromise(work as Effect.Effect<void>)
    times.push(((performance.now() - began) * 1000) / CALLS)
  }
  return Math.min(...times)
}

for (const [name, [effect, promise]] of Object.entries(cases)) {
  const [inEffect, inPromise] = [await microseconds(effect), await microseconds(promise)]
  process.stdout.write(
    `${name}: ${inEffect.toFixed(2)} µs in Effect style, ${inPromise.toFixed(2)} µs in promise style\n`,
  )
}
