/**
 * Hooks on one call beside plain JavaScript, in one run: `node bench/hooks.ts [rounds]`.
 * Hooks do nothing, so all that is measured is what running them takes. CPU µs per call, least of interleaved
 * rounds; `each` is what a hook adds to a call without hooks.
 */
import { mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import {
  definePlugin,
  hook,
  sectionKind,
  stageKind,
  type AnyHook,
  type HookUse,
} from "@planloom/plugin/effect"
import { CallHooks } from "@planloom/core/internal"
import { load } from "@planloom/embed"

const rounds = Number(process.argv[2] ?? 7)
const CALLS = 2000

const ways: { readonly [id: string]: AnyHook["run"] } = {
  sync: () => undefined,
  effect: () => Effect.void,
  suspended: () => Effect.sync(() => undefined),
}

const hooks = Object.entries(ways).map(([id, run]) =>
  hook({ id, summary: "Does nothing.", point: "before_model", kind: "transform", run } as never),
)

const plugin = definePlugin({
  id: "bench",
  summary: "No-op hooks.",
  components: {
    hooks,
    stages: [
      stageKind<object>({
        id: "nothing",
        summary: "Does nothing.",
        input: { type: "object" },
        output: true,
        run: () => Effect.succeed(null),
      }),
    ],
    sections: [
      sectionKind<ReadonlyArray<HookUse>>({
        on: "workflow",
        key: "hooks",
        summary: "Hooks.",
        schema: { type: "array" },
        bind: (uses) => ({ hooks: uses }),
      }),
    ],
  },
})

const scope = Scope.makeUnsafe()
const folder = mkdtempSync(join(tmpdir(), "planloom-bench-"))
const input = { name: "Ada" }

/** The hooks of the stage of a workflow, as its calls have them. */
const hooksOf = async (name: string, uses: ReadonlyArray<HookUse>): Promise<CallHooks> => {
  const path = join(folder, `${name}.yaml`)
  writeFileSync(
    path,
    `apiVersion: planloom/v1\nkind: Workflow\nname: ${name}\ninputs: { name: { type: string } }\nhooks: ${JSON.stringify(uses)}\nstages: [{ id: a, uses: nothing }]\n`,
  )
  const { pipeline } = await Effect.runPromise(
    Scope.provide(load(path, { extraPlugins: [plugin] }), scope),
  )
  return new CallHooks(pipeline.main.nodes[0]!.hooks ?? {}, {
    surroundings: {
      run: "r",
      path: "a",
      stage: "a",
      user: {},
      calls: [],
      variant: () => undefined,
      files: () => [],
      text: () => "",
      collection: () => {
        throw new Error("no hook asks for it")
      },
      note: () => Effect.void,
    },
    scope: { inputs: input, stages: {}, run: { id: "r" } },
    clock: () => 0,
    emit: () => undefined,
    keep: (_, effect) => effect,
  })
}

const messages = [{ role: "user" as const, content: "Hello" }]
const draft = () => ({ system: [], messages, model: "fake/any" })
const about = { name: "a/model:1", of: "fake/any", mode: "" }

const calls = (callHooks: CallHooks) => () =>
  Effect.runPromise(
    Effect.gen(function* () {
      for (let index = 0; index < CALLS; index++) {
        const { messages: sent } = yield* callHooks.run("before_model", draft(), about)
        if (sent !== messages) throw new Error("changed")
      }
    }),
  )

/** A loop over an effect that has its value. */
const bare = () =>
  Effect.runPromise(
    Effect.gen(function* () {
      for (let index = 0; index < CALLS; index++) {
        const { messages: sent } = yield* Effect.succeed(draft())
        if (sent !== messages) throw new Error("changed")
      }
    }),
  )

/** A loop that waits only for a promise. */
const plain = (run: (() => unknown) | undefined, count: number) => async () => {
  const list = run === undefined ? [] : Array.from({ length: count }, () => run)
  for (let index = 0; index < CALLS; index++) {
    const given = draft()
    for (const one of list) {
      const result = one()
      if (result instanceof Promise) await result
    }
    if (given.messages !== messages) throw new Error("changed")
  }
}

const times = (count: number, use: HookUse) => Array.from({ length: count }, () => use)

interface Contestant {
  readonly name: string
  readonly hooks: number
  readonly once: () => Promise<unknown>
}

const contestants: ReadonlyArray<Contestant> = [
  { name: "plain, none", hooks: 0, once: plain(undefined, 0) },
  { name: "plain, sync", hooks: 1, once: plain(() => undefined, 1) },
  { name: "plain, sync", hooks: 20, once: plain(() => undefined, 20) },
  { name: "plain, promise", hooks: 1, once: plain(async () => undefined, 1) },
  { name: "effect, none", hooks: 0, once: bare },
  { name: "planloom, none", hooks: 0, once: calls(await hooksOf("none", [])) },
  { name: "planloom, sync", hooks: 1, once: calls(await hooksOf("one", [{ use: "sync" }])) },
  {
    name: "planloom, sync",
    hooks: 20,
    once: calls(await hooksOf("twenty", times(20, { use: "sync" }))),
  },
  {
    name: "planloom, filtered out",
    hooks: 1,
    once: calls(await hooksOf("filtered", [{ use: "sync", only: { model: ["other/any"] } }])),
  },
  {
    name: "planloom, made effect",
    hooks: 1,
    once: calls(await hooksOf("effect", [{ use: "effect" }])),
  },
  {
    name: "planloom, suspended effect",
    hooks: 1,
    once: calls(await hooksOf("suspended", [{ use: "suspended" }])),
  },
  {
    name: "planloom, condition",
    hooks: 1,
    once: calls(
      await hooksOf("condition", [
        { use: "sync", when: "inputs.name == 'Bob' && draft.model.startsWith('fake/')" },
      ]),
    ),
  },
]

const timed = async ({ once }: Contestant): Promise<number> => {
  const before = process.cpuUsage()
  for (let index = 0; index < 20; index++) await once()
  const { system, user } = process.cpuUsage(before)
  return (system + user) / (20 * CALLS)
}

const figures = new Map<Contestant, Array<number>>(contestants.map((one) => [one, []]))
for (const one of contestants) await timed(one)
for (let round = 0; round < rounds; round++) {
  for (const one of contestants) figures.get(one)!.push(await timed(one))
}

console.log(`CPU µs per call, least of ${rounds} rounds\n`)
console.log("| hooks | number | µs | each |\n|---|---:|---:|---:|")
for (const one of contestants) {
  const own = Math.min(...figures.get(one)!)
  const base = contestants.find(
    ({ hooks: count, name }) => count === 0 && name.split(",")[0] === one.name.split(",")[0],
  )!
  const each =
    one.hooks === 0 ? "–" : ((own - Math.min(...figures.get(base)!)) / one.hooks).toFixed(3)
  console.log(`| ${one.name} | ${one.hooks} | ${own.toFixed(3)} | ${each} |`)
}
await Effect.runPromise(Scope.close(scope, Exit.void))
