/** Prompts over HTTP: who may change them, what is refused, and changes of others at the same time. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { PromptRegistry } from "@planloom/record/prompts"
import { handler, type ApiOptions, type ServedWorkflow } from "@planloom/server"
import { newFile, storeAt } from "./store.ts"

const serving = (path = newFile(), options: Partial<ApiOptions> = {}) => {
  const store = storeAt(path)
  const workflow = {
    pipeline: { name: "w" } as ServedWorkflow["pipeline"],
    secrets: [],
    definition: "w",
    prompts: {
      files: new Map([["base", "Of the file."]]),
      check: (_: string, text: string) =>
        Effect.succeed(
          text.includes("wrong")
            ? [{ file: "base.md", line: 2, col: 5, code: "PL1201", message: "it is wrong" }]
            : [],
        ),
    },
  }
  const handle = handler({
    store,
    workflows: new Map([["w", workflow]]),
    prompts: PromptRegistry.of(store)!,
    ...options,
  })
  const ask = (method: string, route: string, body?: unknown, headers = {}) =>
    Effect.promise(async () => {
      const response = await handle(
        new Request(`http://localhost/workflows/w/prompts${route}`, {
          method,
          headers: { "content-type": "application/json", ...headers },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        }),
      )
      return {
        status: response.status,
        etag: response.headers.get("etag"),
        body: (await response.json()) as any,
      }
    })
  return { ask }
}

describe("the HTTP API of prompts", () => {
  it.effect("edits, shows and swaps versions of a prompt, also for another server", () =>
    Effect.gen(function* () {
      const path = newFile()
      const { ask } = serving(path)
      const other = serving(path)
      const shown = yield* ask("GET", "/base")
      assert.deepInclude(shown, { status: 200, etag: '"0"' })
      assert.deepInclude(shown.body, { active: "file", text: "Of the file.", versions: [] })
      const edit = yield* ask("PUT", "/base", { text: "First.\r\n", by: "ann", why: "a test" })
      assert.deepInclude(edit, { status: 200, etag: '"1"' })
      assert.deepInclude(edit.body, { prompt: "base", active: 1, latest: 1, by: "ann" })
      assert.strictEqual((yield* ask("PUT", "/base", { text: "Second." })).body.active, 2)
      assert.strictEqual((yield* other.ask("GET", "/base")).body.text, "Second.")
      assert.strictEqual((yield* other.ask("PUT", "/base", { version: 1 })).status, 200)
      const again = yield* ask("GET", "/base")
      assert.deepInclude(again.body, { active: 1, text: "First.\r\n", file_changed: false })
      assert.deepInclude(again.body.versions[0], { number: 1, by: "ann", why: "a test" })
      assert.strictEqual((yield* ask("GET", "/base/versions/2")).body.text, "Second.")
      assert.strictEqual((yield* ask("PUT", "/base", { version: "file" })).body.active, "file")
      assert.deepInclude((yield* ask("GET", "")).body[0], {
        prompt: "base",
        active: "file",
        latest: 2,
      })
    }),
  )

  it.effect("rejects a change of a revision that another client has replaced with 412", () =>
    Effect.gen(function* () {
      const path = newFile()
      const { ask } = serving(path)
      const other = serving(path)
      const { etag } = yield* ask("GET", "/base")
      const match = { "if-match": etag! }
      assert.strictEqual((yield* other.ask("PUT", "/base", { text: "Theirs." }, match)).status, 200)
      const late = yield* ask("PUT", "/base", { text: "Mine." }, match)
      assert.strictEqual(late.status, 412)
      assert.strictEqual(late.body.type, "urn:planloom:problem:precondition_failed")
      assert.strictEqual((yield* ask("GET", "/base")).body.text, "Theirs.")
    }),
  )

  it.effect("rejects a text that does not check with its place, and what is not there", () =>
    Effect.gen(function* () {
      const { ask } = serving()
      const wrong = yield* ask("PUT", "/base", { text: "it is\nall wrong" })
      assert.strictEqual(wrong.status, 422)
      assert.strictEqual(wrong.body.detail, "base.md:2:5 it is wrong")
      assert.deepInclude(wrong.body.issues[0], { line: 2, col: 5, code: "PL1201", path: "/text" })
      assert.strictEqual((yield* ask("GET", "/base")).body.active, "file")
      for (const body of [{}, { text: "a", version: 1 }, { version: "newest" }, { text: 1 }]) {
        assert.strictEqual((yield* ask("PUT", "/base", body)).status, 422)
      }
      assert.strictEqual((yield* ask("PUT", "/base", { version: 3 })).status, 404)
      assert.strictEqual((yield* ask("GET", "/none")).status, 404)
      assert.strictEqual((yield* ask("GET", "/base/versions/1")).status, 404)
      assert.strictEqual(
        (yield* ask("PUT", "/base", { text: "a" }, { "if-match": "x" })).status,
        412,
      )
    }),
  )

  it.effect("replies 503 where the server keeps no versions", () =>
    Effect.gen(function* () {
      const { ask } = serving(newFile(), { prompts: undefined } as never)
      assert.strictEqual((yield* ask("GET", "")).status, 503)
    }),
  )
})
