/** A process is killed while it reviews a reply that has left: the next turn of its session does not wait for it. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { assert, it } from "@effect/vitest"
import { run } from "@planloom/core"
import type { RunEvent } from "@planloom/plugin/effect"
import * as Effect from "effect/Effect"
import { reviewedBy, talking } from "./reviewedBy.ts"
import { newFolder, storeAt } from "./store.ts"

it("kill -9 during a later review: the waiting turn starts, without the turn that was not reviewed", async () => {
  const folder = newFolder()
  const script = join(import.meta.dirname, "reviewer.ts")
  const owner = spawn(process.execPath, [script, folder], { stdio: ["ignore", "pipe", "inherit"] })
  const [line] = (await once(owner.stdout, "data")) as [Buffer]
  assert.strictEqual(line.toString(), "reviewing\n")
  const store = storeAt(join(folder, "runs.db"))
  const pipeline = await Effect.runPromise(
    Effect.scoped(
      talking(
        newFolder(),
        reviewedBy(() => Effect.succeed(undefined)),
      ),
    ),
  )
  const events: Array<RunEvent> = []
  let reads = 0
  const sessions = {
    ...store.sessions,
    announced: (session: string) =>
      Effect.tap(store.sessions.announced(session), (turns) =>
        Effect.sync(() => {
          assert.deepStrictEqual(
            turns.map(({ run: of }) => of),
            ["a"],
          )
          // The turn waits for a process that lives.
          if (++reads === 3) owner.kill("SIGKILL")
        }),
      ),
  }
  const next = await Effect.runPromise(
    run(
      pipeline,
      { message: "b" },
      { store, sessions, session: "s", onEvent: (event) => events.push(event) },
    ),
  )
  assert.strictEqual(next.status, "succeeded")
  assert.isAtLeast(reads, 3)
  const opened = events.find((event) => event.type === "SessionOpened")
  assert.strictEqual(opened?.unreviewed, "a")
  const session = await Effect.runPromise(store.sessions.load("s"))
  assert.deepStrictEqual(session?.turns, [{ user: "b", assistant: "Re b" }])
})
