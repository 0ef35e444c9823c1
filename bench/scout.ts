/**
 * Tokens, calls and time of the market scout with reflection and without it, on the requests of its evaluation:
 * `node bench/scout.ts [--server http://127.0.0.1:18080] [--cases 84]`. A script of each case plays
 * the model, at once, and tokens are estimated. With a server it is asked for the reviews: its tokens alone are counted then. All tools are stubs.
 */
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import * as Effect from "effect/Effect"
import { parse } from "yaml"
import { definePlugin, type Json, type JsonObject, type Plugin } from "@planloom/plugin/effect"
import { estimateTokens } from "@planloom/plugin/facts"
import openaiPlugin from "@planloom/provider-openai"
import { runEvaluation } from "../packages/testing/testing/src/index.ts"

const { values } = parseArgs({
  options: { server: { type: "string" }, cases: { type: "string", default: "84" } },
})
const { server } = values
const workflows = join(import.meta.dirname, "../workflows")

type Script = {
  readonly plan?: ReadonlyArray<{ readonly json: Json }>
  readonly review?: ReadonlyArray<{ readonly json: Json }>
}
interface Case {
  readonly inputs: { readonly message: string }
  readonly given: { readonly models?: Script; readonly tools?: JsonObject }
}
const written = parse(readFileSync(join(workflows, "market_scout.eval.yaml"), "utf8"), {
  maxAliasCount: -1,
}) as JsonObject & { readonly given: JsonObject; readonly cases: ReadonlyArray<Case> }
const chosen = written.cases.slice(0, Number(values.cases))

const folder = mkdtempSync(join(tmpdir(), "planloom-scout-"))
const file = join(folder, "scout.eval.yaml")
const { models: scripts, ...given } = written.given as { readonly models: Script } & JsonObject
writeFileSync(
  file,
  JSON.stringify({
    apiVersion: "planloom/v1",
    kind: "Evaluation",
    workflow: join(workflows, "market_scout.yaml"),
    given,
    concurrency: 1,
    variants: { reflection: {}, none: { flags: { reflection: false } } },
    cases: chosen.map(({ given: { models, ...rest }, ...one }) => ({
      ...one,
      given: server === undefined ? rest : { ...rest, models: { plan: models!.plan } },
    })),
  }),
)

const replyTo = (name: string | undefined, request: string): Json => {
  const { models } = chosen.find(({ inputs }) =>
    request.includes(JSON.stringify(inputs.message)),
  )!.given
  return name === "reflection"
    ? (models?.review ?? scripts.review)![0]!.json
    : models!.plan![0]!.json
}

/** Stands for Gemini. */
const scripted = definePlugin({
  id: "google",
  summary: "A model that plays the script of each case.",
  components: {
    providers: [
      {
        id: "google",
        summary: "Plays a script.",
        generate: ({ messages, output, system }) =>
          Effect.sync(() => {
            const text = JSON.stringify(replyTo(output?.name, String(messages.at(-1)!.content)))
            const sent = JSON.stringify([system.map((one) => one.text), messages, output?.schema])
            return {
              text,
              reasoning: "",
              toolCalls: [],
              finish: "stop",
              usage: { input: estimateTokens(sent), output: estimateTokens(text) },
            }
          }),
      },
    ],
  },
})

/** The plugin of the provider with the server's address as its config. */
const served = (url: string): Plugin => {
  const { config: _, ...plugin } = openaiPlugin
  const servers = { llamacpp: { base_url: `${url}/v1` } }
  return { ...plugin, setup: (_given, host) => openaiPlugin.setup!({ servers }, host) }
}

const report = await Effect.runPromise(
  runEvaluation(file, {
    load: {
      plugins: {
        "@planloom/stages": async () => (await import("@planloom/stages")).default,
        "@planloom/retrieval": async () => (await import("@planloom/retrieval")).default,
        "@planloom/mcp": async () => (await import("@planloom/mcp")).default,
        "@planloom/provider-google": () => Promise.resolve(scripted),
      },
      flag: () => undefined,
      ...(server === undefined
        ? {}
        : {
            extraPlugins: [served(server)],
            set: [{ path: "models.planner.try", value: ["llamacpp/tiny"] }],
          }),
    },
  }),
)
for (const { code, message } of report.diagnostics) console.error(code, message)

console.log(
  "| | runs | degraded | model calls | tool calls | input tokens | output tokens | time p50, ms | time p95, ms |\n|---|---:|---:|---:|---:|---:|---:|---:|---:|",
)
for (const [name, figures] of Object.entries(report.variants)) {
  const {
    degraded,
    input_tokens: input,
    model_calls: asked,
    ms,
    output_tokens: output,
    runs,
    tool_calls: called,
  } = figures
  const [half, most] = [ms.p50, ms.p95].map((time) => Math.round(time ?? 0))
  console.log(
    `| ${name} | ${runs} | ${degraded} | ${asked} | ${called} | ${input} | ${output} | ${half} | ${most} |`,
  )
}
