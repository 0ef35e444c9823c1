/** A workflow whose model is a llama.cpp server: its events, its figures, and a table of them. */
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { RunFailed, RunResult } from "@planloom/core"
import { loadWorkflow, type Unrecorded } from "@planloom/embed"
import type { LoadOptions } from "@planloom/language"
import type {
  FailureRecord,
  JsonObject,
  Plugin,
  Provider,
  RunEvent,
  Usage,
} from "@planloom/plugin/effect"
import openaiPlugin from "@planloom/provider-openai"
import * as Effect from "effect/Effect"
import type { LlamaServer } from "./LlamaServer.ts"

const root = join(import.meta.dirname, "../../../../..")

/** The plugin of the provider with the server's address as its config. */
const pluginAt = ({ url }: LlamaServer, settings: JsonObject): Plugin => {
  const { config: _config, ...plugin } = openaiPlugin
  const servers = { llamacpp: { base_url: `${url}/v1`, ...settings } }
  return { ...plugin, setup: (_given, host) => openaiPlugin.setup!({ servers }, host) }
}

export const providerAt = async (
  server: LlamaServer,
  settings: JsonObject = {},
): Promise<Provider> => {
  const host = { root, secret: () => "not-a-real-key" }
  const setup = pluginAt(server, settings).setup!(undefined, host)
  const { providers = [] } = await Effect.runPromise(Effect.scoped(setup))
  return providers.find(({ id }) => id === "llamacpp")!
}

export interface LlamaRun {
  readonly events: ReadonlyArray<RunEvent>
  /** Of the calls of models, in order. */
  readonly usages: ReadonlyArray<Usage>
  readonly result: RunResult
  readonly failure: FailureRecord | undefined
}

export interface LlamaWorkflow {
  readonly inputs?: JsonObject
  readonly plugins?: LoadOptions["plugins"]
  readonly more?: ReadonlyArray<Plugin>
  /** Settings of the server in the project. */
  readonly settings?: JsonObject
  readonly set?: LoadOptions["set"]
  readonly options?: Unrecorded
}

const plugins: NonNullable<LoadOptions["plugins"]> = {
  "@planloom/stages": async () => (await import("@planloom/stages")).default,
  "@planloom/analyst": async () => (await import("@planloom/analyst")).default,
  "@planloom/retrieval": async () => (await import("@planloom/retrieval")).default,
  "@planloom/tools-data": async () => (await import("@planloom/tools-data")).default,
}

/** The workflow in a project whose model `native` has tools; the server answers to any name. */
const written = (body: string): string => {
  const folder = mkdtempSync(join(tmpdir(), "planloom-llama-"))
  const write = (name: string, text: string) => {
    writeFileSync(join(folder, name), `apiVersion: planloom/v1\n${text}`)
    return join(folder, name)
  }
  write("planloom.yaml", "kind: Project\nmodel_facts: [models.yaml]\n")
  write("models.yaml", "kind: Models\nmodels: { llamacpp/native: { capabilities: [tools] } }\n")
  const use = `use: { plugins: ["@planloom/stages", "@planloom/provider-openai"] }`
  return write("w.yaml", `kind: Workflow\nname: w\n${use}\n${body}`)
}

/** Runs a workflow once: a file of the project by its path, or YAML without the first three keys and `use:`. */
export const runOnLlama = async (
  server: LlamaServer,
  workflow: string,
  given: LlamaWorkflow = {},
): Promise<LlamaRun> => {
  const { inputs = {}, more = [], options = {}, set, settings = {} } = given
  const isFile = workflow.endsWith(".yaml")
  const path = isFile ? join(root, workflow) : written(workflow)
  const declared = readFileSync(path, "utf8").includes("@planloom/provider-openai")
  const loaded = await loadWorkflow(path, {
    plugins: {
      ...plugins,
      ...given.plugins,
      "@planloom/provider-openai": () => Promise.resolve(pluginAt(server, settings)),
    },
    extraPlugins: [...more, ...(declared ? [] : [pluginAt(server, settings)])],
    secret: () => "not-a-real-key",
    ...(set === undefined ? {} : { set }),
  })
  const events: Array<RunEvent> = []
  const ended = (result: RunResult, failure?: FailureRecord): LlamaRun => ({
    events,
    usages: events.flatMap((event) => (event.type === "ModelCalled" ? [event.usage] : [])),
    result,
    failure,
  })
  try {
    const onEvent = (event: RunEvent) => events.push(event)
    return ended((await loaded.run(inputs, { ...options, onEvent })) as RunResult)
  } catch (error) {
    const { reason, result } = error as RunFailed
    return ended(result, reason)
  } finally {
    await loaded.close()
  }
}
