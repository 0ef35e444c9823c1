/** A workflow whose models are wire servers, reached through the real SDKs: its events, and the requests as they were sent. */
import type { RunFailed, RunResult } from "@planloom/core"
import { loadWorkflow } from "@planloom/embed"
import {
  definePlugin,
  type FailureRecord,
  type Host,
  type JsonObject,
  type Plugin,
  type RunEvent,
} from "@planloom/plugin/effect"
import anthropicPlugin from "@planloom/provider-anthropic"
import googlePlugin from "@planloom/provider-google"
import openaiPlugin from "@planloom/provider-openai"
import stages from "@planloom/stages"
import * as Effect from "effect/Effect"
import type { WireAnswer } from "../src/double/wire/WireAnswer.ts"
import { wireServer, type WireRequest } from "../src/double/wire/wireServer.ts"

const host: Host = { root: ".", secret: () => "not-a-real-key" }

/** Every provider at one address, except `lmstudio`, which does not run. */
const pluginsAt = (url: string, server: JsonObject): ReadonlyArray<readonly [Plugin, unknown]> => {
  const one = { base_url: `${url}/v1`, ...server }
  const lmstudio = { base_url: "http://127.0.0.1:59998/v1" }
  const servers = { openai: one, llamacpp: one, local: one, openrouter: one, lmstudio }
  return [
    [anthropicPlugin, { base_url: url }],
    [googlePlugin, { base_url: url }],
    [openaiPlugin, { servers }],
  ]
}

export interface WireRun {
  readonly requests: ReadonlyArray<WireRequest>
  readonly events: ReadonlyArray<RunEvent>
  readonly outputs: JsonObject | undefined
  readonly usage: RunResult["usage"]
  readonly degraded: RunResult["degraded"]
  readonly notes: RunResult["notes"]
  /** Of the run; undefined if it succeeded. */
  readonly failure: FailureRecord | undefined
}

export interface WireWorkflow {
  /** Answers of the server, in order; the last one stays. */
  readonly answers: ReadonlyArray<WireAnswer>
  /** Settings of the servers with OpenAI's protocol. */
  readonly server?: JsonObject
  readonly more?: ReadonlyArray<Plugin>
  readonly inputs?: JsonObject
  /** Whether a host reads the parts of streamed outputs. */
  readonly reads?: boolean
}

/** Runs a workflow once; `body` is its YAML without the first three keys. */
export const runOnWire = async (
  body: string,
  { answers, inputs = {}, more = [], reads = false, server: settings = {} }: WireWorkflow,
): Promise<WireRun> => {
  await using server = await wireServer({ answers })
  const providers = await Promise.all(
    pluginsAt(server.url, settings).map(async ([plugin, config]) => {
      const setup = plugin.setup as NonNullable<typeof anthropicPlugin.setup>
      return (await Effect.runPromise(Effect.scoped(setup(config, host)))).providers ?? []
    }),
  )
  const wire = definePlugin({
    id: "wire",
    summary: "Providers at one wire server.",
    components: { providers: providers.flat() },
  })
  const text = `apiVersion: planloom/v1\nkind: Workflow\nname: w\n${body}`
  const workflow = await loadWorkflow("w.yaml", {
    extraPlugins: [stages, wire, ...more],
    texts: new Map([["w.yaml", text]]),
  })
  const events: Array<RunEvent> = []
  try {
    const { degraded, notes, outputs, usage } = await workflow.run(inputs, {
      onEvent: (event) => events.push(event),
      ...(reads ? { onPart: () => {} } : {}),
    })
    const { requests } = server
    const result = { outputs: outputs as JsonObject, usage, degraded, notes }
    return { requests, events, ...result, failure: undefined }
  } catch (error) {
    const { reason, result } = error as RunFailed
    const { requests } = server
    const { degraded, notes, usage } = result
    return { requests, events, outputs: undefined, usage, degraded, notes, failure: reason }
  } finally {
    await workflow.close()
  }
}
