/** Heap of open sessions: `node --expose-gc bench/sessions.ts [sessions]`. Each has 14 turns, a summary and entities. */
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { memorySessions, run } from "@planloom/core"
import { load } from "@planloom/embed"
import {
  definePlugin,
  stageKind,
  type JsonObject,
  type SessionStore,
  type ToolSource,
} from "@planloom/plugin/effect"
import { openStore } from "@planloom/store-sqlite"

const sessions = Number(process.argv[2] ?? 1000)
const collect = globalThis.gc
if (collect === undefined) throw new Error("run with --expose-gc")

const TURNS = 14
const folder = mkdtempSync(join(tmpdir(), "planloom-sessions-"))
const path = join(folder, "sessions.yaml")
writeFileSync(
  path,
  `apiVersion: planloom/v1
kind: Workflow
name: sessions
inputs: { message: { type: string } }
stages: [{ id: answer, uses: answer, with: { message: "\${{ inputs.message }}" } }]
session:
  window: 12
  compact: { by: mechanical }
  entities: 20
  request: "\${{ inputs.message }}"
  assistant: "\${{ stages.answer.output }}"
  state: { agent: { type: string, default: welcome, value: transfers } }
outputs: { reply: "\${{ stages.answer.output }}" }
`,
)

const find: ToolSource = {
  id: "people",
  summary: "Finds people.",
  list: Effect.succeed({
    tools: [
      {
        name: "find",
        summary: "Finds a person.",
        capabilities: [],
        inputs: {},
        params: true,
        outputs: [],
        effect: "read",
        entities: { person: "result" },
      },
    ],
  }),
  call: ({ params }) => Effect.succeed({ value: params }),
}

/** Calls a tool and answers in 200 characters. */
const answer = stageKind<{ readonly message: string }>({
  id: "answer",
  summary: "Answers.",
  input: { type: "object", properties: { message: { type: "string" } } },
  output: { type: "string" },
  run: ({ message }, { callTool }) =>
    Effect.as(
      callTool({ tool: "find", params: { id: message, name: `Person ${message}` }, key: "one" }),
      message.repeat(Math.ceil(200 / message.length)),
    ),
})

const plugin = definePlugin({
  id: "bench",
  summary: "Answers.",
  components: { stages: [answer], tools: [find] },
})

const heap = () => {
  collect()
  collect()
  return process.memoryUsage().heapUsed
}

await Effect.runPromise(
  Effect.scoped(
    Effect.gen(function* () {
      const { pipeline } = yield* load(path, { extraPlugins: [plugin] })
      const talk = (store: SessionStore, first: number, count: number) =>
        Effect.promise(async () => {
          for (let session = first; session < first + count; session++) {
            for (let turn = 0; turn < TURNS; turn++) {
              const inputs: JsonObject = { message: `session ${session}, message ${turn}` }
              await Effect.runPromise(
                run(pipeline, inputs, { session: `s${session}`, sessions: store }),
              )
            }
          }
        })
      const measure = (name: string, store: SessionStore) =>
        Effect.gen(function* () {
          yield* talk(store, -50, 50)
          const before = heap()
          yield* talk(store, 0, sessions)
          const grown = heap() - before
          console.log(
            `${name}: ${(grown / 2 ** 20).toFixed(1)} MB, ${Math.round(grown / sessions)} bytes a session`,
          )
        })
      const memory = memorySessions()
      yield* measure("in memory", memory)
      const record = yield* memory.load("s0")
      console.log(`the record of one as JSON: ${JSON.stringify(record).length} bytes`)
      const file = join(folder, "runs.db")
      const { sessions: stored } = yield* openStore(file)
      yield* measure("in SQLite", stored)
      console.log(`file: ${(statSync(file).size / 2 ** 20).toFixed(1)} MB`)
    }),
  ),
)
rmSync(folder, { recursive: true, force: true })
