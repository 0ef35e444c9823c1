/** The workflow on a copy of the sample device, with a model of the test's choice. */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import {
  definePlugin,
  type JsonObject,
  type Provider,
  type RunEvent,
} from "@planloom/plugin/effect"
import { load } from "@planloom/embed"
import type { LoadOptions } from "@planloom/language"
import { run } from "@planloom/core"

const root = join(import.meta.dirname, "../../..")

export interface Given {
  /** Answers in place of the model that the workflow names. */
  readonly provider?: Provider
  /** Where an OpenAI-compatible server listens, in place of it. */
  readonly server?: string
  /** What else is on the device. */
  readonly files?: { readonly [path: string]: Uint8Array }
}

const plugins: NonNullable<LoadOptions["plugins"]> = {
  "@planloom/stages": async () => (await import("@planloom/stages")).default,
  "@planloom/retrieval": async () => (await import("@planloom/retrieval")).default,
  "@planloom/provider-openai": async () => (await import("@planloom/provider-openai")).default,
}

/** A project of its own: the workflow with whole paths, and a config that points at the copy. */
const projectIn = (folder: string, server: string | undefined): string => {
  const device = join(folder, "device")
  cpSync(join(root, "examples/device/device"), device, {
    recursive: true,
    filter: (path) => !path.includes(".state"),
  })
  const plugin = join(root, "examples/device/plugin.ts")
  const config = {
    apiVersion: "planloom/v1",
    kind: "Project",
    plugins: {
      [plugin]: { folder: device },
      "@planloom/provider-openai": {
        servers: { local: { base_url: server ?? "http://127.0.0.1:9/v1" } },
      },
    },
  }
  writeFileSync(join(folder, "planloom.yaml"), JSON.stringify(config))
  const file = join(folder, "assistant.yaml")
  const text = readFileSync(join(root, "workflows/device_assistant.yaml"), "utf8")
  writeFileSync(file, text.replaceAll("../", `${root}/`))
  return file
}

const copied = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "assistant-"))),
  (made) => Effect.sync(() => rmSync(made, { recursive: true, force: true })),
)

/** The workflow's evaluation in a project of its own, and how it is loaded: without a model. */
export const evaluationIn = (edit: (text: string) => string, name = "device_assistant") =>
  Effect.map(copied, (folder) => {
    projectIn(folder, undefined)
    const file = join(folder, "assistant.eval.yaml")
    const text = readFileSync(join(root, `workflows/${name}.eval.yaml`), "utf8")
    const placed = text
      .replaceAll("../", `${root}/`)
      .replace("device_assistant.yaml", "assistant.yaml")
    writeFileSync(file, edit(placed))
    return { file, load: { plugins, roots: [root], modelsOverride: ["local/tiny"] } }
  })

/** Says each message in turn, in a run of its own; every run's result and events. */
export const say = (given: Given, ...messages: ReadonlyArray<JsonObject>) =>
  Effect.scoped(
    Effect.gen(function* () {
      const folder = yield* copied
      const { files = {}, provider, server } = given
      const model = provider === undefined ? "local/tiny" : `${provider.id}/tiny`
      const file = projectIn(folder, server)
      for (const [path, bytes] of Object.entries(files))
        writeFileSync(join(folder, "device", path), bytes)
      const loaded = yield* load(file, {
        plugins,
        roots: [root],
        extraPlugins:
          provider === undefined
            ? []
            : [
                definePlugin({
                  id: "test",
                  summary: "A model.",
                  components: { providers: [provider] },
                }),
              ],
        modelsOverride: [model],
      })
      return yield* Effect.forEach(messages, (inputs) =>
        Effect.gen(function* () {
          const events: Array<RunEvent> = []
          const result = yield* run(loaded.pipeline, inputs, {
            workspace: folder,
            // A plan with words that are not understood is shown to a person, who agrees here.
            answer: () => Effect.succeed({ approved: true }),
            onEvent: (event) => events.push(event),
          })
          return { result, events }
        }),
      )
    }),
  )
