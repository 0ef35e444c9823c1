/** Moderation over the wire: what is sent, that no answer is believed, and what a gate makes of a service that is away. */
import { mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { run } from "@planloom/core"
import { check } from "../../../engine/embed/src/index.ts"
import {
  definePlugin,
  toFailureRecord,
  type Json,
  type JsonObject,
  type RunEvent,
} from "@planloom/plugin/effect"
import { wireServer, type WireAnswer } from "@planloom/testing"
import * as fc from "fast-check"
import shadow from "../../../components/shadow/src/index.ts"
import { loaded, source } from "../../../components/shadow/test/workflow.ts"
import { cases } from "../../../../.config/cases.ts"
import type { Config } from "./config.ts"
import { moderationSubagents } from "./moderation.ts"
import { moderationOptions } from "./options.ts"
import plugin from "./plugin.ts"

const host = { root: ".", secret: (name: string) => (name === "KEY" ? "k-0123456789" : undefined) }

/** As OpenAI answers. */
const openai = (flagged: ReadonlyArray<string>, scores: JsonObject = {}): JsonObject => ({
  id: "modr-1",
  model: "omni-moderation-latest",
  results: [
    {
      flagged: flagged.length > 0,
      categories: {
        violence: flagged.includes("violence"),
        "self-harm": flagged.includes("self-harm"),
        illicit: null,
      },
      category_scores: { violence: 0.2, "self-harm": 0.1, ...scores },
    },
  ],
})

/** As Mistral answers. */
const mistral: JsonObject = {
  id: "m-1",
  model: "mistral-moderation-latest",
  results: [
    {
      categories: { sexual: false, selfharm: false, financial: true },
      category_scores: { sexual: 0.01, selfharm: 0.02, financial: 0.97 },
    },
  ],
}

const raw = (body: JsonObject | string): WireAnswer => ({
  raw: { headers: { "content-type": "application/json" }, body },
})

const setup = (answer: WireAnswer, given: Config["moderation"] = {}) =>
  Effect.gen(function* () {
    const server = yield* Effect.acquireRelease(
      Effect.promise(() => wireServer({ answers: [answer], key: "k-0123456789" })),
      (open) => Effect.promise(() => open.close()),
    )
    const base = { base_url: `${server.url}/v1`, key: "KEY" }
    const config = { servers: { openai: base, local: base }, moderation: given }
    const [moderation, moderationInput] = moderationSubagents(moderationOptions(config, host))
    const ask = (text: string, options: JsonObject = {}) =>
      moderation!.review({ text } as never, { with: options } as never)
    return { ask, moderation: moderation!, moderationInput: moderationInput!, server }
  })

describe("the subagents of a moderation service", () => {
  it.effect("send the text, and the request before anything runs, with the key", () =>
    Effect.gen(function* () {
      const { ask, moderationInput, server } = yield* setup(raw(openai([])))
      assert.strictEqual((yield* ask("How are you?")).verdict, "pass")
      const draft = { request: "Hello", text: "" } as never
      yield* moderationInput.review(draft, { with: {} } as never)
      const sent = server.requests.map(({ body, path }) => [path, body])
      assert.deepStrictEqual(sent, [
        ["/v1/moderations", { model: "omni-moderation-latest", input: ["How are you?"] }],
        ["/v1/moderations", { model: "omni-moderation-latest", input: ["Hello"] }],
      ])
      assert.strictEqual(server.requests[0]!.headers.authorization, "Bearer k-0123456789")
    }),
  )

  it.effect(
    "block what the service flags, by its category, in the shapes of OpenAI and Mistral",
    () =>
      Effect.gen(function* () {
        const one = yield* setup(raw(openai(["self-harm"])))
        const finding = yield* one.ask("…")
        assert.deepInclude(finding, { verdict: "block", confidence: 1, rules: ["self-harm"] })
        const given = { server: "local", model: "mistral-moderation-latest" } as const
        const other = yield* setup(raw(mistral), given)
        assert.deepInclude(yield* other.ask("Buy this stock", { verdict: "flag" }), {
          verdict: "flag",
          rules: ["financial"],
        })
        assert.strictEqual(other.server.requests[0]!.body["model"], "mistral-moderation-latest")
      }),
  )

  it.effect("count the categories and the scores of their options", () =>
    Effect.gen(function* () {
      const { ask } = yield* setup(raw(openai(["violence"], { "self-harm": 0.4 })))
      const verdictOf = (options: JsonObject) =>
        Effect.map(ask("…", options), ({ rules, verdict }) => [verdict, ...(rules ?? [])])
      assert.deepStrictEqual(yield* verdictOf({}), ["block", "violence"])
      assert.deepStrictEqual(yield* verdictOf({ categories: ["self-harm"] }), ["pass"])
      assert.deepStrictEqual(yield* verdictOf({ scores: { violence: 0.9 } }), ["pass"])
      assert.deepStrictEqual(yield* verdictOf({ scores: { "self-harm": 0.4 } }), [
        "block",
        "violence",
        "self-harm",
      ])
    }),
  )

  it.effect("fail for an option about what the service does not judge", () =>
    Effect.gen(function* () {
      const { ask } = yield* setup(raw(openai([])))
      for (const [options, expected] of [
        [{ categories: ["violance"] }, /no category "violance"; it has violence, self-harm/],
        [{ scores: { illicit: 0.5 } }, /no score of "illicit"/],
      ] as const) {
        const failure = toFailureRecord(yield* Effect.flip(ask("…", options)))
        assert.strictEqual(failure.class, "invalid_request")
        assert.match(failure.message, expected)
      }
    }),
  )

  it.effect("send a long text in parts that overlap, and read each of them", () =>
    Effect.gen(function* () {
      const results = [...(openai([])["results"] as ReadonlyArray<Json>)]
      const bad = (openai(["violence"])["results"] as ReadonlyArray<Json>)[0]!
      const { ask, server } = yield* setup(raw({ results: [...results, bad] }))
      const text = Array.from({ length: 2000 }, (_, at) => String(at).padStart(4, "0")).join(" ")
      assert.strictEqual((yield* ask(text)).verdict, "block")
      const parts = server.requests[0]!.body["input"] as ReadonlyArray<string>
      assert.strictEqual(parts.length, 2)
      assert.isTrue(parts[1]!.startsWith(parts[0]!.slice(-300)))
      assert.isTrue(text.endsWith(parts[1]!))
      const failure = toFailureRecord(yield* Effect.flip(ask("a".repeat(700_000))))
      assert.match(failure.message, /more than/)
    }),
  )

  it.effect("pass nothing that the service does not clearly pass", () =>
    Effect.gen(function* () {
      const { ask, server } = yield* setup(raw("{}"))
      const value = fc.oneof(
        fc.boolean(),
        fc.constant(null),
        fc.double(),
        fc.string(),
        fc.jsonValue(),
      )
      const result = fc.record(
        {
          flagged: value,
          categories: fc.oneof(value, fc.dictionary(fc.constantFrom("hate", "x"), value)),
          category_scores: fc.oneof(value, fc.dictionary(fc.constantFrom("hate", "x"), value)),
        },
        { requiredKeys: [] },
      )
      yield* Effect.promise(() =>
        fc.assert(
          fc.asyncProperty(fc.array(fc.oneof(result, value), { maxLength: 2 }), async (all) => {
            const body = JSON.parse(JSON.stringify({ results: all })) as {
              readonly results: ReadonlyArray<JsonObject | null>
            }
            server.answer(raw(body as unknown as JsonObject))
            const exit = await Effect.runPromise(Effect.result(ask("…")))
            const [one] = body.results
            const categories = Object.values((one?.["categories"] ?? {}) as JsonObject)
            const isClean =
              body.results.length === 1 &&
              one?.["flagged"] !== true &&
              categories.length > 0 &&
              categories.every((flag) => flag === false || flag === null)
            if (exit._tag === "Success" && exit.success.verdict === "pass") assert.isTrue(isClean)
          }),
          { numRuns: cases(100) },
        ),
      )
    }),
  )

  it.effect.each([
    ["without a service", undefined, /write `moderation` into the config/, "auth"],
    ["with a refused key", { status: 401 }, /./, "auth"],
    ["of a busy service", { status: 429 }, /./, "rate_limit"],
    ["of another answer", raw({ ok: true }), /returned no results/, "invalid_output"],
  ] as const)("fail %s", ([, answer, message, failed]) =>
    Effect.gen(function* () {
      const { ask } = yield* setup(answer ?? {})
      const unset = moderationSubagents(moderationOptions({}, host))[0]!
      const asked =
        answer === undefined
          ? unset.review({ text: "…" } as never, { with: {} } as never)
          : ask("…")
      const failure = toFailureRecord(yield* Effect.flip(asked))
      assert.match(failure.message, message)
      assert.strictEqual(failure.class, failed)
      assert.notInclude(JSON.stringify(failure), "k-0123456789")
    }),
  )
})

describe("a gate with moderation", () => {
  const reply = "Here is how to hurt yourself."
  const ran = (answer: WireAnswer, section: string) =>
    Effect.gen(function* () {
      const { moderation } = yield* setup(answer)
      const { pipeline } = yield* loaded(source(`shadow: ${section}`), reply, [moderation])
      const events: Array<RunEvent> = []
      const onEvent = (one: RunEvent) => void events.push(one)
      const { outputs } = yield* run(pipeline, {}, { run: "r", onEvent })
      const reviewed = events.find((event) => event.type === "Reviewed")
      return { answer: outputs["answer"], reviewed, all: JSON.stringify(events) }
    })

  it.effect("stops what the service flags", () =>
    Effect.gen(function* () {
      const { all, reviewed } = yield* ran(raw(openai(["self-harm"])), "{ gate: [moderation] }")
      assert.deepInclude(reviewed, { reviewer: "moderation", verdict: "block" })
      assert.notInclude(all, reply)
    }),
  )

  it.effect("is closed while the service is away, and open where `on_error` says so", () =>
    Effect.gen(function* () {
      const closed = yield* ran({ status: 503 }, "{ gate: [moderation] }")
      assert.deepInclude(closed.reviewed, { cause: "error", verdict: "block" })
      assert.notInclude(closed.all, reply)
      const open = "{ gate: [moderation], on_error: { moderation: flag } }"
      const { answer, reviewed } = yield* ran({ status: 503 }, open)
      assert.deepInclude(reviewed, { cause: "error", verdict: "flag" })
      assert.strictEqual(answer, reply)
    }),
  )
})

describe("check", () => {
  const checked = (section: string, own = plugin) =>
    Effect.gen(function* () {
      const path = join(mkdtempSync(join(tmpdir(), "moderation-")), "workflow.yaml")
      writeFileSync(path, source(`shadow: ${section}`))
      const { diagnostics } = yield* check(path, { extraPlugins: [shadow, own] })
      return diagnostics.map(({ message }) => message).filter((one) => !/speak|fake/.test(one))
    })

  it.effect("reads the options of a subagent that a plugin's setup makes", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* checked("{ gate: [moderation_input, moderation] }"), [])
      const [message] = yield* checked("{ gate: [{ use: moderation, with: { verdikt: flag } }] }")
      assert.match(message!, /unknown key "verdikt"/)
    }),
  )

  it.effect("takes a subagent of which only the id is promised without a change", () =>
    Effect.gen(function* () {
      const made = definePlugin({
        id: "own",
        summary: "A part of a test.",
        provides: { subagents: ["late"] },
        setup: () => Effect.succeed({}),
      })
      assert.deepStrictEqual(
        yield* checked("{ gate: [{ use: late, with: { any: 1 } }] }", made),
        [],
      )
    }),
  )
})
