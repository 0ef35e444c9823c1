/** Models of a served workflow, swapped over HTTP during its runs. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { definePlugin, stageKind, type Provider } from "@planloom/plugin/effect"
import { handler } from "@planloom/server"
import { load } from "@planloom/embed"
import { worker } from "@planloom/record/worker"
import { newFile, storeAt } from "./store.ts"

const text = `
apiVersion: planloom/v1
kind: Workflow
name: asks
use: { plugins: [vendor] }
models: { writer: { try: [vendor/small] } }
stages: [{ id: said, uses: ask, model: writer }]
outputs: { said: { value: "\${{ stages.said.output }}" } }
`

const provider: Provider = {
  id: "vendor",
  summary: "Says who it is.",
  generate: ({ model }) =>
    Effect.succeed({
      text: model,
      reasoning: "",
      toolCalls: [],
      finish: "stop",
      usage: { input: 1, output: 1 },
    }),
}

const plugin = definePlugin({
  id: "vendor",
  summary: "A model and a stage that asks it.",
  components: {
    providers: [provider],
    stages: [
      stageKind<object>({
        id: "ask",
        summary: "Asks.",
        input: { type: "object" },
        output: true,
        model: (_, { model }) =>
          Effect.map(
            model.text({ messages: [{ role: "user", content: "?" }] }),
            (said) => said.text,
          ),
      }),
    ],
  },
})

const posted = (body: unknown): RequestInit => ({
  method: "POST",
  body: JSON.stringify(body),
  headers: { "content-type": "application/json" },
})

const serving = Effect.gen(function* () {
  const file = "/unsaved/asks.yaml"
  const { pipeline, secrets } = yield* load(file, {
    texts: new Map([[file, text]]),
    plugins: { vendor: () => Promise.resolve(plugin) },
  })
  const store = storeAt(newFile())
  const attendant = yield* worker(store, { load: () => Effect.succeed({ pipeline, secrets }) })
  const workflows = new Map([["asks", { pipeline, secrets, definition: "asks" }]])
  const handle = handler({ store, worker: attendant, workflows })
  const ask = (path: string, body?: unknown) =>
    Effect.promise(async () => {
      const response = await handle(
        new Request(`http://localhost${path}`, body === undefined ? {} : posted(body)),
      )
      return { status: response.status, body: (await response.json()) as any }
    })
  const said = Effect.gen(function* () {
    const { body } = yield* ask("/workflows/asks/runs", {})
    for (;;) {
      const { body: run } = yield* ask(`/runs/${body.run}`)
      if (run.result?.finishedAt !== undefined) return run.result.outputs.said as string
      yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
    }
  })
  return { ask, said }
})

const why = { by: "ada", why: "an outage" }

describe("the models of a served workflow", () => {
  it.live("can be listed, swapped for the next call and swapped back, with a history", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { ask, said } = yield* serving
        assert.strictEqual(yield* said, "small")
        const path = "/workflows/asks/models"
        const swapped = yield* ask(path, { alias: "writer", models: ["vendor/large"], ...why })
        assert.strictEqual(swapped.status, 200)
        assert.deepInclude(swapped.body.swap, { ...why, alias: "writer", after: ["vendor/large"] })
        assert.strictEqual(yield* said, "large")
        const one = yield* ask(path, { stage: "said", models: "vendor/tiny", ...why })
        assert.strictEqual(one.status, 200)
        assert.strictEqual(yield* said, "tiny")
        for (const expected of ["large", "small"]) {
          assert.strictEqual((yield* ask(`${path}/undo`, why)).status, 200)
          assert.strictEqual(yield* said, expected)
        }
        assert.strictEqual((yield* ask(`${path}/undo`, why)).status, 409)
        const { body } = yield* ask(path)
        assert.deepStrictEqual(body.aliases, [
          { alias: "writer", models: ["vendor/small"], otherwise: "fail", swapped: false },
        ])
        assert.deepStrictEqual(
          body.history.map(({ undoes }: { readonly undoes?: number }) => undoes ?? null),
          [null, null, 1, 0],
        )
      }),
    ),
  )

  it.live("are not swapped for an invalid target or without a reason", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { ask } = yield* serving
        const path = "/workflows/asks/models"
        for (const [body, says] of [
          [
            { alias: "writer", models: ["other/large"], ...why },
            /^there is no provider for "other\/large"/,
          ],
          [{ alias: "reader", models: ["vendor/large"], ...why }, /no alias and no stage "reader"/],
          [{ alias: "writer", models: [], ...why }, /at least one model/],
          [{ alias: "writer", models: [1], ...why }, /models must be provider\/model/],
          [{ models: ["vendor/large"], ...why }, /either "alias" or "stage"/],
          [{ alias: "writer", models: ["vendor/large"] }, /"by" and "why"/],
        ] as const) {
          const { body: problem, status } = yield* ask(path, body)
          assert.strictEqual(status, 422)
          assert.match(problem.detail, says)
        }
        assert.deepStrictEqual((yield* ask(path)).body.history, [])
        assert.strictEqual((yield* ask("/workflows/none/models")).status, 404)
      }),
    ),
  )
})
