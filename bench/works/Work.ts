/** A work whose cost is measured: a module exports `start`, which gives one run of it. */
import * as Effect from "effect/Effect"
import * as Scope from "effect/Scope"
import { mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { JsonObject, Plugin } from "@planloom/plugin/effect"
import { run } from "@planloom/core"
import { load } from "@planloom/embed"

/** One run of the work. It throws if the result is wrong. */
export type Once = () => Promise<unknown>

export type Start = () => Promise<Once>

/** What each no-op stage and task does. */
export const step = async (value: number) => value + 1

export const list = Array.from({ length: 100 }, (_, index) => index)

export interface Flow {
  /** The workflow file without its first three lines. */
  readonly body: string
  readonly plugins: ReadonlyArray<Plugin>
  readonly inputs?: JsonObject
  /** Other files of the workflow's folder. */
  readonly files?: { readonly [name: string]: string }
  /** Of the run; there is a listener of its events besides. */
  readonly options?: Parameters<typeof run>[2]
  readonly check?: (outputs: JsonObject) => boolean
}

/** Loads the workflow into a folder of its own. The process ends without closing it. */
export const open = async ({ body, files = {}, plugins }: Omit<Flow, "inputs">) => {
  const path = join(mkdtempSync(join(tmpdir(), "planloom-bench-")), "flow.yaml")
  for (const [name, text] of Object.entries(files)) writeFileSync(join(path, "..", name), text)
  const text = `apiVersion: planloom/v1\nkind: Workflow\nname: bench\n${body}`
  writeFileSync(path, text)
  const opening = Scope.provide(load(path, { extraPlugins: plugins }), Scope.makeUnsafe())
  return { path, text, ...(await Effect.runPromise(opening)) }
}

/** Runs of a workflow, with a listener of their events. */
export const runsOf = async (flow: Flow): Promise<Once> => {
  const { pipeline } = await open(flow)
  const { check = () => true, inputs = {}, options } = flow
  let heard = 0
  return async () => {
    const result = await Effect.runPromise(
      run(pipeline, inputs, { onEvent: () => void heard++, ...options }),
    )
    if (result.status !== "succeeded" || heard === 0 || !check(result.outputs as JsonObject))
      throw new Error(`${result.status}: ${JSON.stringify(result.failure ?? result.outputs)}`)
  }
}
