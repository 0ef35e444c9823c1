/** An agent whose model is a wire server, asked through the SDK of its service: requests as they were sent, in one form. */
import { mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import {
  definePlugin,
  ToolFailed,
  type Json,
  type JsonObject,
  type Plugin,
  type RunEvent,
  type Tool,
  type ToolInvocation,
  type ToolResult,
} from "@planloom/plugin/effect"
import { load } from "@planloom/embed"
import { run, type RunOptions } from "@planloom/core"
import anthropicPlugin from "@planloom/provider-anthropic"
import googlePlugin from "@planloom/provider-google"
import openaiPlugin from "@planloom/provider-openai"
import stages from "@planloom/stages"
import type { WireAnswer } from "../src/double/wire/WireAnswer.ts"
import type { WireServer } from "../src/double/wire/wireServer.ts"

export const services = ["anthropic", "google", "openai"] as const
export type Service = (typeof services)[number]
export const forms = ["native", "text"] as const
/** How a model gives its calls: by the service's function calling, or as JSON in its text. */
export type Form = (typeof forms)[number]

const plugins: { readonly [S in Service]: Plugin } = {
  anthropic: anthropicPlugin,
  google: googlePlugin,
  openai: openaiPlugin,
}

export interface Said extends Omit<WireAnswer, "tool_calls" | "json" | "chunks"> {
  readonly calls?: ReadonlyArray<readonly [tool: string, params: JsonObject]>
}

/** The answer of the service, with its calls in the form. */
export const answerOf = (form: Form, { calls = [], text, ...more }: Said): WireAnswer => {
  if (form === "text") {
    return calls.length === 0
      ? { ...more, json: { answer: text ?? "" } }
      : { ...more, json: { calls: calls.map(([tool, params]) => ({ tool, params })) } }
  }
  return {
    ...more,
    ...(text === undefined ? {} : { text }),
    tool_calls: calls.map(([name, params]) => ({ name, arguments: params })),
  }
}

const tool = (name: string, more: Partial<Tool> = {}): Tool => ({
  name,
  summary: `Does ${name}.`,
  capabilities: [],
  inputs: {},
  outputs: [],
  effect: "read",
  params: {
    type: "object",
    properties: { of: { type: "string" } },
    required: ["of"],
    additionalProperties: false,
  },
  ...more,
})

export interface AgentWorld {
  /** Calls that reached a tool. */
  readonly called: ReadonlyArray<string>
  readonly run: (options?: RunOptions) => Effect.Effect<{
    readonly output: JsonObject | undefined
    readonly failure: JsonObject | undefined
  }>
}

export interface AgentOptions {
  /** Input of the stage besides its task. */
  readonly given: string
  /** Config of the provider besides its address. */
  readonly config?: JsonObject
  /** Settings of the model besides its name, in YAML. */
  readonly settings?: string
  /** Keys of the workflow, in YAML. */
  readonly head?: string
  /** Files beside the workflow, by name. */
  readonly files?: { readonly [name: string]: string }
  /** Whether the tool `slow` never ends. */
  readonly hangs?: boolean
}

export const agentWorld = (
  server: WireServer,
  service: Service,
  form: Form,
  { config = {}, files = {}, given, hangs = false, head = "", settings = "" }: AgentOptions,
): AgentWorld => {
  const called: Array<string> = []
  const call = ({ params, tool: name }: ToolInvocation): Effect.Effect<ToolResult, ToolFailed> =>
    Effect.suspend((): Effect.Effect<ToolResult, ToolFailed> => {
      called.push(`${name} ${String(params["of"])}`)
      if (name === "slow" && hangs) return Effect.never
      return name === "breaks"
        ? Effect.fail(
            new ToolFailed({ tool: name, class: "tool_error", message: "the exchange is closed" }),
          )
        : Effect.succeed({ value: { [String(params["of"])]: 1.25 } })
    })
  const names = ["rate", "breaks", "send", "slow"]
  const source = {
    id: "t",
    summary: "Tools.",
    list: Effect.succeed({
      tools: names.map((name) => tool(name, name === "send" ? { effect: "write" } : {})),
    }),
    call,
  }
  const tools = definePlugin({ id: "t", summary: "Tools.", components: { tools: [source] } })
  const folder = mkdtempSync(join(tmpdir(), "planloom-agent-"))
  const provider =
    service === "openai"
      ? { servers: { openai: { base_url: `${server.url}/v1`, ...config } } }
      : { base_url: server.url, ...config }
  const write = (name: string, value: Json) =>
    writeFileSync(join(folder, name), JSON.stringify(value))
  write("planloom.yaml", {
    apiVersion: "planloom/v1",
    kind: "Project",
    model_facts: ["models.yaml"],
    plugins: { provider },
  })
  write("models.yaml", {
    apiVersion: "planloom/v1",
    kind: "Models",
    models: {
      [`${service}/native`]: { capabilities: ["tools", "reasoning"] },
      [`${service}/text`]: { capabilities: [] },
    },
  })
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  const path = join(folder, "agents.yaml")
  writeFileSync(
    path,
    `apiVersion: planloom/v1
kind: Workflow
name: agents
use: { plugins: [provider] }
secrets: [ANTHROPIC_API_KEY, GEMINI_API_KEY, OPENAI_API_KEY]
models: { main: { try: [${service}/${form}]${settings} } }
${head}
stages:
  - id: work
    uses: agent
    model: main
    with: { task: Convert., ${given} }
outputs: { stopped: { type: string, value: "\${{ stages.work.output.stopped }}" } }
`,
  )
  return {
    called,
    run: (options = {}) =>
      Effect.gen(function* () {
        const { pipeline } = yield* load(path, {
          plugins: { provider: () => Promise.resolve(plugins[service]) },
          extraPlugins: [stages, tools],
        })
        const events: Array<RunEvent> = []
        yield* Effect.exit(
          run(pipeline, {}, { ...options, onEvent: (event) => events.push(event) }),
        )
        const finished = events.find((event) => event.type === "StageFinished")
        const failed = events.find((event) => event.type === "StageFailed")
        return {
          output: finished?.output as JsonObject | undefined,
          failure: failed?.failure as unknown as JsonObject | undefined,
        }
      }).pipe(Effect.orDie, Effect.scoped),
  }
}
