/** Servers on one store, a supervisor that starts those again which end, and runs of which one does harm. */
import { mkdir, mkdtemp, writeFile } from "node:fs/promises"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import type { RunRecord } from "@planloom/plugin/effect"
import { openStore } from "@planloom/store-sqlite"
import { fixture, serve, trusting, type Server } from "./planloom.ts"

/** Ways to do harm, each a stage kind and a workflow of its name. */
export const harms = ["spin", "rejection", "timer"] as const

/** `spinning` is a file that exists while the loop stands still. */
const plugin = `import { writeFileSync } from "node:fs"
import { definePlugin, stageKind } from "@planloom/plugin"

const turn = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
const never = new Promise(() => undefined)
const kind = (id, run) =>
  stageKind({ id, summary: "A stage.", input: { type: "object" }, output: { type: "string" }, run })

export default definePlugin({
  id: "poison",
  summary: "Stages that do harm, and one that does none.",
  components: {
    stages: [
      kind("fine", async () => {
        await turn(10)
        return "fine"
      }),
      kind("spin", async () => {
        await turn(1)
        writeFileSync("spinning", "")
        for (;;) {}
      }),
      kind("rejection", async () => {
        void (async () => {
          await turn(5)
          throw new Error("boom")
        })()
        return never
      }),
      kind("timer", async () => {
        setTimeout(() => {
          throw new Error("boom")
        }, 5)
        return never
      }),
    ],
  },
})
`

const workflow = (name: string, last: string) => `apiVersion: planloom/v1
kind: Workflow
name: ${name}
use: { plugins: [../poison.ts] }
stages:
  - { id: before, uses: fine }
  - { id: last, uses: ${last} }
outputs: { said: { value: "\${{ stages.last.output }}" } }
`

/** A new project with the workflows `good` and those that do harm. */
export const poisonedProject = async (): Promise<string> => {
  await mkdir(join(fixture, ".planloom"), { recursive: true })
  const cwd = await mkdtemp(join(fixture, ".planloom", "poisoned-"))
  await trusting(cwd)
  await mkdir(join(cwd, "workflows"))
  await writeFile(join(cwd, "poison.ts"), plugin)
  await writeFile(join(cwd, "workflows/good.yaml"), workflow("good", "fine"))
  for (const harm of harms) {
    await writeFile(join(cwd, `workflows/${harm}.yaml`), workflow(harm, harm))
  }
  return cwd
}

export interface Ended {
  readonly code: number | null
  readonly stderr: string
}

/** Starts a server again whenever it has ended, until it is stopped. */
export class Supervised {
  readonly ends: Array<Ended> = []
  private readonly start: () => Promise<Server>
  private server: Promise<Server>
  private isStopping = false
  private readonly done: Promise<void>

  /** `bin`: the bundled command unless given. */
  constructor(cwd: string, args: ReadonlyArray<string>, bin?: string) {
    this.start = () => serve(args, { cwd, ...(bin === undefined ? {} : { bin }) })
    this.server = this.start()
    this.done = this.supervise()
  }

  private async supervise(): Promise<void> {
    while (true) {
      const server = await this.server
      const code = await server.ended
      if (this.isStopping) return
      this.ends.push({ code, stderr: server.stderr() })
      this.server = this.start()
    }
  }

  /** Repeats a request until a server replies. */
  async fetch(path: string, init: RequestInit = {}): Promise<Response> {
    while (true) {
      const { ended, url } = await this.server
      try {
        return await fetch(url + path, { ...init, signal: AbortSignal.timeout(2000) })
      } catch {
        // It stands still, or has ended and is started again.
        await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, 50))])
      }
    }
  }

  async post(name: string, run: string): Promise<void> {
    const { status } = await this.fetch(`/workflows/${name}/runs`, {
      method: "POST",
      headers: { "content-type": "application/json", "idempotency-key": run },
      body: "{}",
    })
    if (status !== 202 && status !== 200) throw new Error(`POST of ${run}: ${status}`)
  }

  signal(signal: NodeJS.Signals): Promise<void> {
    return this.server.then(({ pid }) => void process.kill(pid, signal))
  }

  async stop(): Promise<void> {
    const server = await this.server
    this.isStopping = true
    await server.stop("SIGKILL")
    await this.done
  }
}

/** Reads the store until every run has ended; the records, by run. */
export const whenAllEnded = (
  cwd: string,
  runs: ReadonlyArray<string>,
): Promise<ReadonlyMap<string, RunRecord>> =>
  Effect.runPromise(
    Effect.scoped(
      Effect.gen(function* () {
        const store = yield* openStore(join(cwd, ".planloom/runs.db"))
        while (true) {
          const records = new Map((yield* store.list()).map((record) => [record.run, record]))
          if (runs.every((run) => records.get(run)?.finishedAt !== undefined)) return records
          yield* Effect.sleep(50)
        }
      }),
    ),
  )

/** The failure in the record of a run that has failed. */
export const failureIn = (cwd: string, run: string): Promise<unknown> =>
  Effect.runPromise(
    Effect.scoped(
      Effect.gen(function* () {
        const store = yield* openStore(join(cwd, ".planloom/runs.db"))
        const last = (yield* store.events(run)).at(-1)
        return last?.type === "RunFailed" ? last.failure : undefined
      }),
    ),
  )
