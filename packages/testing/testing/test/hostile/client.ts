/** Runs a workflow against one reply of a hostile service, whole and streamed, in a process whose memory is measured: `client.ts url format reply`. */
import * as Effect from "effect/Effect"
import * as Scope from "effect/Scope"
import { run } from "@planloom/core"
import { load } from "@planloom/embed"
import { definePlugin } from "@planloom/plugin/effect"
import anthropicPlugin from "@planloom/provider-anthropic"
import googlePlugin from "@planloom/provider-google"
import openaiPlugin from "@planloom/provider-openai"
import stages from "@planloom/stages"
import type { Format, Reply } from "./replies.ts"

/** One reply as the run ended. */
export interface Ended {
  readonly reply: Reply
  readonly streams: boolean
  /** The class of the failure, or the status of the run. */
  readonly outcome: string
  readonly milliseconds: number
  /** Peak of the resident memory so far, in MB. */
  readonly peak: number
}

const limits = { timeout: "1s", stall: "1s" }
const setUps = {
  anthropic: [anthropicPlugin, (url: string) => ({ base_url: url, ...limits })],
  google: [googlePlugin, (url: string) => ({ base_url: url, ...limits })],
  openai: [openaiPlugin, (url: string) => ({ servers: { openai: { base_url: url, ...limits } } })],
} as const

const [url, format, reply] = process.argv.slice(2) as [string, Format, Reply]
const [plugin, config] = setUps[format]
const { providers } = await Effect.runPromise(
  Effect.scoped(
    (plugin.setup as NonNullable<typeof anthropicPlugin.setup>)(config(url), {
      root: ".",
      secret: () => "not-a-real-key",
    }),
  ),
)
const service = definePlugin({
  id: "service",
  summary: "A provider.",
  components: { providers: providers! },
})

const loaded = load("hostile.yaml", {
  extraPlugins: [stages, service],
  texts: new Map([
    [
      "hostile.yaml",
      `apiVersion: planloom/v1
kind: Workflow
name: hostile
stages: [{ id: ask, uses: generate, model: ${format}/${reply}, timeout: 3s, with: { task: Speak. } }]
outputs: { text: { value: "\${{ stages.ask.output.text }}", stream: true } }
`,
    ],
  ]),
})

const peak = (): number => Math.round(process.resourceUsage().maxRSS / 1000)

const { pipeline } = await Effect.runPromise(Scope.provide(loaded, Scope.makeUnsafe()))
for (const streams of [false, true]) {
  const start = performance.now()
  const outcome = await Effect.runPromise(
    run(pipeline, {}, streams ? { onPart: () => undefined } : {}).pipe(
      Effect.match({
        onFailure: (failure) =>
          failure._tag === "RunFailed" ? failure.reason.class : failure._tag,
        onSuccess: ({ status }) => status,
      }),
    ),
  )
  const milliseconds = Math.round(performance.now() - start)
  process.send!({ reply, streams, outcome, milliseconds, peak: peak() } satisfies Ended)
}
process.disconnect()
