/** Which models a conversation loads before anybody asks them. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Provider } from "@planloom/plugin/effect"
import { wireServer } from "@planloom/testing"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { load } from "@planloom/embed"
import { run } from "@planloom/core"
import type { LoadedWorkflow } from "@planloom/core"
import { bundledPlugins } from "../project/bundledPlugins.ts"
import { coldModels, warmUp } from "./warmUp.ts"

const workflow = (names: ReadonlyArray<ReadonlyArray<string>>, ...given: ReadonlyArray<Provider>) =>
  ({
    pipeline: { models: { aliases: names.map((models) => ({ models })), stages: [] } },
    resources: { components: { providers: new Map(given.map((one) => [one.id, one])) } },
  }) as unknown as LoadedWorkflow

it.effect("loads what is asked first, on a server that is there and is one's own", () =>
  Effect.gen(function* () {
    const loaded: Array<string> = []
    const server = (id: string, now: true | string): Provider => ({
      id,
      summary: "",
      available: Effect.succeed(now),
      warm: (model) => Effect.sync(() => void loaded.push(`${id}/${model}`)),
    })
    const paid: Provider = { id: "paid", summary: "" }
    const models = yield* coldModels(
      workflow(
        [
          ["ollama/small", "ollama/large"],
          ["ollama/small"],
          ["gone/small"],
          ["paid/big", "ollama/tiny"],
          ["unknown/x"],
          [],
        ],
        server("ollama", true),
        server("gone", "nobody listens"),
        paid,
      ),
    )
    assert.deepStrictEqual(
      models.map(({ name }) => name),
      ["ollama/small"],
    )
    yield* warmUp(models)
    assert.deepStrictEqual(loaded, ["ollama/small"])
  }),
)

it.live("asks a server for one token, and keeps the connection for what is asked next", () =>
  Effect.gen(function* () {
    const server = yield* Effect.acquireRelease(
      Effect.promise(() => wireServer({ models: ["tiny"], answers: [{ text: "hello" }] })),
      ({ close }) => Effect.promise(close),
    )
    const folder = yield* Effect.acquireRelease(
      Effect.sync(() => mkdtempSync(join(tmpdir(), "planloom-warm-"))),
      (made) => Effect.sync(() => rmSync(made, { recursive: true })),
    )
    const write = (name: string, value: object) =>
      writeFileSync(join(folder, name), JSON.stringify({ apiVersion: "planloom/v1", ...value }))
    const servers = { local: { base_url: `${server.url}/v1`, body: { keep_alive: "30m" } } }
    write("planloom.yaml", {
      kind: "Project",
      plugins: { "@planloom/provider-openai": { servers } },
    })
    write("channel.yaml", {
      kind: "Workflow",
      name: "channel",
      use: { plugins: ["@planloom/stages", "@planloom/provider-openai"] },
      models: { small: { try: ["local/tiny"], otherwise: "mechanical" } },
      stages: [{ id: "say", uses: "generate", model: "small", with: { task: "Greet." } }],
      outputs: { said: { type: "string", value: "${{ stages.say.output.text }}" } },
    })
    const loaded = yield* load(join(folder, "channel.yaml"), { plugins: bundledPlugins })
    const models = yield* coldModels(loaded)
    assert.deepStrictEqual(
      models.map(({ name }) => name),
      ["local/tiny"],
    )
    yield* warmUp(models)
    const { outputs } = yield* run(loaded.pipeline, {})
    assert.strictEqual(outputs["said"], "hello")
    const [warming, asking] = server.requests
    assert.deepInclude(warming!.body, { model: "tiny", max_tokens: 1, keep_alive: "30m" })
    assert.deepInclude(asking!.body, { model: "tiny", keep_alive: "30m" })
    assert.lengthOf(server.requests, 2)
    for (let more = 0; more < 4; more++) yield* run(loaded.pipeline, {})
    assert.lengthOf(server.requests, 6)
    // The list of models was asked for as well: the next request may not have waited for its end.
    assert.isAtMost(server.connections(), 2)
  }),
)
