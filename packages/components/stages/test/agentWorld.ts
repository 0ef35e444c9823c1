/** An agent with a scripted model and tools that record their calls. */
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import * as Effect from "effect/Effect"
import {
  definePlugin,
  ModelFailed,
  ToolFailed,
  type JsonObject,
  type Message,
  type ModelReply,
  type ModelRequest,
  type RunEvent,
  type Tool,
  type ToolInvocation,
  type ToolResult,
  type ToolSource,
} from "@planloom/plugin/effect"
import { load } from "@planloom/embed"
import { run, type RunOptions } from "@planloom/core"
import stages from "../src/index.ts"

export type Form = "native" | "text"
export type Said = Partial<Omit<ModelReply, "model" | "toolCalls">> & {
  readonly calls?: ReadonlyArray<readonly [tool: string, params: JsonObject]>
}

/** A scripted reply in the form in which the model gives its calls. */
const replyOf = (form: Form, { calls = [], text = "", ...more }: Said) => {
  const native = form === "native" ? calls : []
  return {
    text:
      form === "native"
        ? text
        : JSON.stringify(
            calls.length === 0
              ? { answer: text }
              : { calls: calls.map(([tool, params]) => ({ tool, params })) },
          ),
    reasoning: "",
    toolCalls: native.map(([name, params], index) => ({
      id: `id${index}`,
      name,
      arguments: params,
    })),
    finish: native.length > 0 ? ("tool_calls" as const) : ("stop" as const),
    usage: { input: 10, output: 5 },
    ...more,
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

const tools: ReadonlyArray<Tool> = [
  tool("rate", { group: "rates" }),
  tool("history", { group: "rates" }),
  tool("breaks"),
  tool("throws"),
  tool("reports"),
  tool("send", { effect: "write" }),
  tool("endless"),
  tool("to_support"),
  tool("closed", { available: "no connection" }),
]

/** A workflow with one agent, a scripted model and tools that count their calls. */
export const world = (
  form: Form,
  script: ReadonlyArray<Said | ModelFailed>,
  given: string,
  head = "",
  /** Further files beside the workflow, by name. */
  files: { readonly [name: string]: string } = {},
) => {
  const requests: Array<ModelRequest> = []
  const called: Array<string> = []
  const events: Array<RunEvent> = []
  let underWay = 0
  let mostAtOnce = 0
  const call = ({ params, tool: name }: ToolInvocation): Effect.Effect<ToolResult, ToolFailed> =>
    Effect.suspend((): Effect.Effect<ToolResult, ToolFailed> => {
      called.push(`${name} ${String(params["of"])}`)
      if (name === "breaks") {
        const message = "the exchange is closed"
        return Effect.fail(new ToolFailed({ tool: name, class: "tool_error", message }))
      }
      if (name === "reports") {
        const value = { reason: "quota exceeded", left: 0 }
        return Effect.succeed({ value, isError: true })
      }
      if (name === "throws") throw new Error("stack and path /home/me")
      if (name === "endless") return Effect.uninterruptible(Effect.never)
      mostAtOnce = Math.max(mostAtOnce, ++underWay)
      return Effect.as(
        Effect.tap(Effect.yieldNow, () => Effect.sync(() => underWay--)),
        { value: { [String(params["of"])]: 1.25 } },
      )
    })
  const source: ToolSource = {
    id: "t",
    summary: "Tools.",
    list: Effect.succeed({ tools }),
    call,
  }
  const folder = mkdtempSync(join(tmpdir(), "planloom-agent-"))
  writeFileSync(
    join(folder, "planloom.yaml"),
    "apiVersion: planloom/v1\nkind: Project\nmodel_facts: [models.yaml]\n",
  )
  writeFileSync(
    join(folder, "models.yaml"),
    `apiVersion: planloom/v1
kind: Models
models:
  scripted/native: { capabilities: [tools] }
  scripted/text: { capabilities: [] }
`,
  )
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  const path = join(folder, "workflow.yaml")
  writeFileSync(
    path,
    `apiVersion: planloom/v1
kind: Workflow
name: agents
${head}
stages:
  - id: work
    uses: agent
    model: scripted/${form}
    with: { task: Convert., ${given} }
outputs: { stopped: { type: string, value: "\${{ stages.work.output.stopped }}" } }
`,
  )
  const plugin = definePlugin({
    id: "test",
    summary: "Test.",
    components: {
      tools: [source],
      providers: [
        {
          id: "scripted",
          summary: "Plays a script.",
          generate: (request) =>
            Effect.suspend(() => {
              const next = script[requests.length] ?? script.at(-1)!
              requests.push(request)
              return next instanceof ModelFailed
                ? Effect.fail(next)
                : Effect.succeed(replyOf(form, next))
            }),
        },
      ],
    },
  })
  const loaded = load(path, { extraPlugins: [stages, plugin] })
  return {
    requests,
    called,
    events,
    loaded,
    mostAtOnce: () => mostAtOnce,
    run: (options: RunOptions = {}) =>
      Effect.gen(function* () {
        const { pipeline } = yield* loaded
        const outcome = yield* Effect.exit(
          run(pipeline, {}, { ...options, onEvent: (event) => events.push(event) }),
        )
        const finished = events.find(({ type }) => type === "StageFinished")
        const failed = events.find(({ type }) => type === "StageFailed")
        return {
          outcome,
          output: finished?.type === "StageFinished" ? (finished.output as JsonObject) : undefined,
          failure: failed?.type === "StageFailed" ? failed.failure : undefined,
        }
      }),
  }
}

/** What the model read as the result of its last calls. */
export const lastResults = ({ messages }: ModelRequest): string =>
  messages
    .slice(messages.findLastIndex(({ role }) => role === "assistant") + 1)
    .map((message: Message) => JSON.stringify(message.content).replaceAll("\\", ""))
    .join("\n")
