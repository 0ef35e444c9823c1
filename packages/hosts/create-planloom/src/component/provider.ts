/** The template of a package with one model provider. */
import type { Template } from "./packageFiles.ts"

export const providerTemplate: Template = ({ name, variable }) => ({
  noun: "provider",
  does: "asks a service that speaks OpenAI's chat protocol and needs no key",
  plugin: `import {
  definePlugin,
  ModelFailed,
  provider,
  type JsonObject,
  type ModelRequest,
} from "@planloom/plugin"
import * as Schema from "effect/Schema"

interface Answer {
  readonly choices: ReadonlyArray<{
    readonly message: {
      readonly content: string | null
      readonly tool_calls?: ReadonlyArray<{
        readonly id: string
        readonly function: { readonly name: string; readonly arguments: string }
      }>
    }
    readonly finish_reason: string
  }>
  readonly usage: { readonly prompt_tokens: number; readonly completion_tokens: number }
}

/** \`url\` is the service's, with \`/v1\`. */
export const ${variable}Provider = (url: string) =>
  provider({
    id: "${name}",
    summary: "Asks a service that speaks OpenAI's chat protocol.",
    omits: () => ["top_k"],
    generate: async (request, { signal }) => {
      const model = \`${name}/\${request.model}\`
      const response = await fetch(\`\${url}/chat/completions\`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(bodyOf(request)),
        signal,
      }).catch((error: unknown) => {
        throw new ModelFailed({ class: "unavailable", model, message: String(error), unsent: true })
      })
      if (!response.ok) {
        const message = \`the service answered with status \${response.status}\`
        throw new ModelFailed({ class: classOf(response.status), model, message })
      }
      const { choices, usage } = (await response.json()) as Answer
      const { finish_reason, message } = choices[0]!
      const toolCalls = (message.tool_calls ?? []).map(({ function: called, id }) => ({
        id,
        name: called.name,
        ...argumentsOf(called.arguments),
      }))
      return {
        text: message.content ?? "",
        reasoning: "",
        toolCalls,
        finish:
          toolCalls.length > 0 ? "tool_calls" : finish_reason === "length" ? "length" : "stop",
        usage: { input: usage.prompt_tokens, output: usage.completion_tokens },
      }
    },
  })

const bodyOf = ({ maxTokens, messages, model, seed, stop, system, temperature, tools }: ModelRequest) => ({
  model,
  messages: [
    ...(system.length > 0
      ? [{ role: "system", content: system.map(({ text }) => text).join("\\n\\n") }]
      : []),
    ...messages.map((message) => {
      if (message.role === "tool") {
        const content = JSON.stringify(message.content)
        return { role: "tool", tool_call_id: message.toolCallId, content }
      }
      if (message.role !== "assistant" || message.toolCalls === undefined) return message
      const tool_calls = message.toolCalls.map(({ arguments: args, id, name }) => ({
        id,
        type: "function",
        function: { name, arguments: JSON.stringify(args) },
      }))
      return { role: "assistant", content: message.content, tool_calls }
    }),
  ],
  ...(tools && { tools: tools.map((one) => ({ type: "function", function: one })) }),
  temperature,
  max_tokens: maxTokens,
  seed,
  stop,
})

/** The arguments of a tool call, which a model may write wrongly: the engine reads what is \`written\`. */
const argumentsOf = (text: string): { arguments: JsonObject; written?: string } => {
  try {
    return { arguments: JSON.parse(text) as JsonObject }
  } catch {
    return { arguments: {}, written: text }
  }
}

const classOf = (status: number) => {
  if (status === 429) return "rate_limit"
  if (status === 401 || status === 403) return "auth"
  return status >= 500 ? "unavailable" : "invalid_request"
}

export default definePlugin({
  id: "${name}",
  summary: "The provider ${name}.",
  config: Schema.Struct({ url: Schema.NonEmptyString }),
  provides: { providers: ["${name}"] },
  setup: async ({ url }) => ({ providers: [${variable}Provider(url)] }),
})
`,
  test: `/** The conformance suite of providers, with a service on this machine. */
import { after, describe, it } from "node:test"
import { providerSuite, wireServer, type WireServer } from "@planloom/testing"
import { ${variable}Provider } from "./plugin.ts"

const servers: Array<WireServer> = []
after(() => Promise.all(servers.map((server) => server.close())))

providerSuite(
  { describe, it },
  "${name}",
  async (reply) => {
    const server = await wireServer({ answers: [reply] })
    servers.push(server)
    return {
      provider: ${variable}Provider(\`\${server.url}/v1\`),
      asked: () => server.requests.length,
    }
  },
  { reasoning: false, failures: ["auth", "invalid_request", "unavailable"] },
)
`,
  usage: `A workflow uses it:

\`\`\`yaml
apiVersion: planloom/v1
kind: Workflow
name: use_${name}
use: { plugins: ["@planloom/stages", ./${name}/plugin.ts] }
defaults: { model: ${name}/small }
stages:
  - id: say
    uses: generate
    with: { task: Say hello. }
outputs:
  text: { type: string, value: "\${{ stages.say.output.text }}" }
\`\`\`

\`planloom.yaml\` says where the service is:

\`\`\`yaml
apiVersion: planloom/v1
kind: Project
plugins:
  ./${name}/plugin.ts: { url: "http://127.0.0.1:8080/v1" }
\`\`\`
`,
})
