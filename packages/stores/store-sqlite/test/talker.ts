/**
 * Process that takes turns in a session: `talker.ts folder name count` sends `count` messages, each again if another
 * process came first; `talker.ts folder name die` is killed after its turn is saved, before its run has ended.
 */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import type { RunStore } from "@planloom/plugin/effect"
import { load } from "@planloom/embed"
import { run } from "@planloom/core"
import { openStore } from "../src/index.ts"
import { plugin } from "./workflow.ts"

const [folder = "", name = "", count = "0"] = process.argv.slice(2)

const text = `apiVersion: planloom/v1
kind: Workflow
name: talk
inputs: { message: { type: string } }
stages:
  - { id: think, uses: work, with: { n: "\${{ session.state.count }}" } }
session:
  window: 100
  request: "\${{ inputs.message }}"
  assistant: "\${{ string(stages.think.output.own) }}"
  state: { count: { type: integer, default: 35, value: "\${{ session.state.count + 35 }}" } }
`

const dying = (store: RunStore): RunStore => ({
  ...store,
  show: (id) => store.show(id),
  events: (id) => store.events(id),
  open: (start) => store.open(start),
  sessions: {
    ...store.sessions,
    save: (session, change) =>
      Effect.tap(store.sessions.save(session, change), () =>
        Effect.sync(() => process.kill(process.pid, "SIGKILL")),
      ),
  },
})

let refused = 0

await Effect.runPromise(
  Effect.scoped(
    Effect.gen(function* () {
      const path = join(folder, `${name}.yaml`)
      writeFileSync(path, text)
      const { pipeline } = yield* load(path, { extraPlugins: [plugin(() => undefined)] })
      const opened = yield* openStore(join(folder, "runs.db"))
      const store = count === "die" ? dying(opened) : opened
      const say = (message: string, id: string) =>
        run(pipeline, { message }, { store, session: "s", run: id })
      if (count === "die") return yield* say("mortal", "mortal")
      if (count === "again") return yield* say("mortal", "mortal")
      for (let turn = 0; turn < Number(count); turn++) {
        for (let attempt = 1; ; attempt++) {
          const exit = yield* Effect.result(say(`${name} ${turn}`, `${name}-${turn}-${attempt}`))
          if (exit._tag === "Success") break
          if (exit.failure._tag !== "RunFailed" || exit.failure.reason.class !== "conflict") {
            return yield* Effect.fail(exit.failure)
          }
          refused++
        }
      }
      return undefined
    }),
  ),
)
process.stdout.write(String(refused))
