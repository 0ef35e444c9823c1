/** The standard hooks: what each of them changes, and what it refuses. */
import { mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { check } from "@planloom/embed"
import hooks from "@planloom/hooks"
import {
  definePlugin,
  stageKind,
  type AnyHook,
  type CallContext,
  type Collection,
  type Json,
  type Section,
} from "@planloom/plugin/effect"
import { assert, describe, it } from "vitest"
import { hookSuite, type HookCase } from "../src/conformance/hookSuite.ts"

const echo = stageKind<object>({
  id: "echo",
  summary: "Does nothing.",
  input: { type: "object" },
  output: true,
  run: () => Effect.succeed(null),
})
const of = (id: string): AnyHook => hooks.components!.hooks!.find((one) => one.id === id)!
const runner = { describe, it }
const section = (id: string, text: string, stable = true): Section => ({
  id,
  text,
  stable,
  source: "file",
  tokens: 1,
})
const assembled = {
  sections: [section("persona", "You help."), section("state", "Step 1", false)],
  offers: [{ tool: "weigh", form: "schema" as const }],
}
const HOUR_MS = 3_600_000

/** A case at `post_assembly` in which the hook adds a section of this text, and its position. */
const adds = (
  name: string,
  options: NonNullable<HookCase["with"]>,
  text: string | undefined,
  at: number,
  context: Partial<CallContext> = {},
): HookCase<"post_assembly"> => ({
  name,
  point: "post_assembly",
  draft: assembled,
  with: options,
  context: context as never,
  check: (result) => {
    const { sections = assembled.sections } = (result ?? {}) as {
      sections?: ReadonlyArray<Section>
    }
    assert.strictEqual(sections[at]?.text, text)
    assert.strictEqual(sections.length, text === undefined ? 2 : 3)
  },
})

hookSuite(runner, of("debug"), [
  adds(
    "adds its section before the ones that change",
    { users: ["ada"], text: "Explain." },
    "Explain.",
    1,
    {
      user: { id: "ada" },
    },
  ),
  adds("adds nothing for other users", { users: ["ada"] }, undefined, 2, { user: { id: "eve" } }),
])

const at = (hour: number) => ({ now: hour * HOUR_MS })
hookSuite(runner, of("time_persona"), [
  adds("has a tone for the morning", {}, "It's morning. Be energetic and positive.", 2, at(6)),
  adds("has a tone for the afternoon", {}, "It's afternoon. Be efficient and focused.", 2, at(17)),
  adds("has a tone for the evening", {}, "It's evening. Be relaxed and patient.", 2, at(23)),
  adds(
    "counts the hours after midnight to the evening",
    {},
    "It's evening. Be relaxed and patient.",
    2,
    at(3),
  ),
  adds("knows the hour of a zone", { zone: "Asia/Tokyo", evening: "brief" }, "brief", 2, at(10)),
  adds(
    "begins a night where it is written",
    { hours: { night: 22 }, night: "Be quiet." },
    "Be quiet.",
    2,
    at(2),
  ),
])
hookSuite(runner, of("time_persona"), [
  {
    name: "adds to the section that it is given",
    point: "section_build",
    draft: section("persona", "You help."),
    with: { section: "persona", morning: "Be calm." },
    context: at(8),
    check: (result) => assert.deepStrictEqual(result, { text: "You help.\n\nBe calm." }),
  } as HookCase<"section_build">,
])

hookSuite(runner, of("language"), [
  adds("names the language", { language: "es" }, "Answer in Spanish (es).", 1),
  adds(
    "names the other language",
    { language: null, otherwise: "pt-BR" },
    "Answer in Brazilian Portuguese (pt-BR).",
    1,
  ),
  adds("adds nothing without a language", { language: "" }, undefined, 2),
])

hookSuite(runner, of("glossary"), [
  adds(
    "lists terms in their order",
    { terms: { float: "Cash in transit.", corridor: "Two countries." } },
    "Use these terms in these meanings:\n- corridor: Two countries.\n- float: Cash in transit.",
    1,
  ),
])

const call = (tool: string, summary: string, ok = true) => ({
  tool,
  summary,
  ok,
  params: {},
  key: "k",
  path: "p",
})
const calls = [
  call("rate", "17.45"),
  call("quote", "no such corridor", false),
  call("list", "3 people"),
]
hookSuite(runner, of("inject_context"), [
  adds(
    "adds a text under its title",
    { text: "Two orders.", title: "Orders" },
    "Orders\nTwo orders.",
    2,
  ),
  adds(
    "adds the last results",
    { results: 2 },
    "- quote: failed: no such corridor\n- list: 3 people",
    2,
    { calls },
  ),
  adds(
    "leaves the oldest results out first",
    { results: 3, max_characters: 20 },
    "- list: 3 people",
    2,
    { calls },
  ),
  adds("adds nothing before the first call", { results: 3, title: "Results" }, undefined, 2),
])

const variant = (name: string) => (name === "tone" ? "warm" : undefined)
hookSuite(runner, of("ab_test"), [
  {
    name: "replaces the section by the text of the variant",
    draft: section("persona", "You help."),
    with: { experiment: "tone", section: "persona", texts: { warm: "You help warmly." } },
    context: { variant },
    check: (result) => assert.deepStrictEqual(result, { text: "You help warmly." }),
  } as HookCase<"section_build">,
  {
    name: "has the text in the language of the user",
    draft: section("persona", "You help."),
    with: {
      experiment: "tone",
      section: "persona",
      texts: { warm: { en: "Warm.", es: "Cálido." } },
    },
    context: { variant, user: { language: "es-MX" } },
    check: (result) => assert.deepStrictEqual(result, { text: "Cálido." }),
  } as HookCase<"section_build">,
  {
    name: "has the text in the language that its option gives, and the user's for an empty one",
    draft: section("persona", "You help."),
    with: {
      experiment: "tone",
      section: "persona",
      language: "en",
      texts: { warm: { es: "Cálido.", en: "Warm." } },
    },
    context: { variant, user: { language: "es" } },
    check: (result) => assert.deepStrictEqual(result, { text: "Warm." }),
  } as HookCase<"section_build">,
  {
    name: "leaves the section of a variant without a text",
    draft: section("persona", "You help."),
    with: { experiment: "tone", section: "persona", texts: { cold: "You help." } },
    context: { variant },
    check: (result) => assert.isUndefined(result),
  } as HookCase<"section_build">,
])
hookSuite(runner, of("ab_test"), [
  {
    name: "puts the prompt of the variant in place of the section",
    point: "pre_assembly",
    draft: { request: "", mode: "full", vars: {}, sections: ["persona", "rules"] },
    with: { experiment: "tone", section: "persona", sections: { warm: "warm_persona" } },
    context: { variant },
    check: (result) => assert.deepStrictEqual(result, { sections: ["warm_persona", "rules"] }),
  } as HookCase<"pre_assembly">,
])

hookSuite(runner, of("segment"), [
  adds(
    "adds a text",
    { append: { text: "Offer priority support." } },
    "Offer priority support.",
    1,
  ),
])
hookSuite(runner, of("segment"), [
  {
    name: "replaces and extends sections",
    point: "section_build",
    draft: section("persona", "You help."),
    with: { replace: { persona: "You serve." }, append: { section: "persona", text: "At once." } },
    check: (result) => assert.deepStrictEqual(result, { text: "You serve.\n\nAt once." }),
  } as HookCase<"section_build">,
])
hookSuite(runner, of("segment"), [
  {
    name: "takes tools away",
    point: "tools_build",
    draft: {
      offers: [
        { tool: "weigh", form: "schema" },
        { tool: "count", form: "index" },
      ],
    },
    with: { without_tools: ["weigh"] },
    check: (result) =>
      assert.deepStrictEqual(result, { offers: [{ tool: "count", form: "index" }] }),
  } as HookCase<"tools_build">,
])

const personal =
  "Ada <ada@example.org>, +1 415 555 2671, DE89 3704 0044 0532 0130 00 IBAN, 4111 1111 1111 1111."
const redacted = "Ada <[email]>, [phone], [iban] IBAN, [card]."
hookSuite(runner, of("redact_pii"), [
  {
    name: "redacts every message and keeps what is no personal data",
    draft: {
      system: [],
      model: "m",
      messages: [
        { role: "user", content: personal },
        { role: "user", content: [{ type: "text", text: personal }] },
        {
          role: "assistant",
          content: "On 2024-01-15 order 4111 1111 1111 1112 of 12345 cost 17.45.",
          toolCalls: [{ id: "1", name: "t", arguments: { to: "ada@example.org" } }],
        },
        {
          role: "tool",
          toolCallId: "1",
          name: "t",
          content: { to: ["ada@example.org", 4111111111111111, 12] },
        },
      ],
    },
    check: (result) =>
      assert.deepStrictEqual(result as unknown, {
        messages: [
          { role: "user", content: redacted },
          { role: "user", content: [{ type: "text", text: redacted }] },
          {
            role: "assistant",
            content: "On 2024-01-15 order 4111 1111 1111 1112 of 12345 cost 17.45.",
            toolCalls: [{ id: "1", name: "t", arguments: { to: "[email]" } }],
          },
          { role: "tool", toolCallId: "1", name: "t", content: { to: ["[email]", "[card]", 12] } },
        ],
      }),
  } as HookCase<"before_model">,
])
hookSuite(runner, of("redact_pii"), [
  {
    name: "redacts the kinds that it is given, but for allowed texts",
    point: "post_assembly",
    draft: {
      offers: [],
      sections: [section("a", "help@example.org ada@example.org (415) 555-2671")],
    },
    with: { kinds: ["email", "phone"], country: "US", allow: ["help@example.org"] },
    check: (result) =>
      assert.strictEqual(
        (result as { sections: ReadonlyArray<Section> }).sections[0]!.text,
        "help@example.org [email] [phone]",
      ),
  } as HookCase<"post_assembly">,
])
hookSuite(runner, of("redact_pii"), [
  {
    name: "redacts params where it is asked to",
    point: "before_tool",
    draft: { tool: "t", effect: "write", params: { to: "ada@example.org" } },
    with: { params: true },
    check: (result) => assert.deepStrictEqual(result, { params: { to: "[email]" } }),
  } as HookCase<"before_tool">,
  {
    name: "leaves params otherwise",
    point: "before_tool",
    draft: { tool: "t", effect: "write", params: { to: "ada@example.org" } },
    check: (result) => assert.isUndefined(result),
  } as HookCase<"before_tool">,
])
hookSuite(runner, of("redact_pii"), [
  {
    name: "redacts results where it is asked to",
    point: "after_tool",
    draft: { call: call("t", ""), result: { mail: "ada@example.org" } },
    with: { results: true },
    check: (result) => assert.deepStrictEqual(result, { result: { mail: "[email]" } }),
  } as HookCase<"after_tool">,
  {
    name: "knows numbers of results by the names of their members",
    point: "after_tool",
    draft: {
      call: call("t", ""),
      result: { bankRouting: ["021000021"], order_id: "021000021", client_cpf: "52998224725" },
    },
    with: { results: true },
    check: (result) =>
      assert.deepStrictEqual(result, {
        result: { bankRouting: ["[routing]"], order_id: "021000021", client_cpf: "[cpf]" },
      }),
  } as HookCase<"after_tool">,
])

hookSuite(runner, of("audit"), [
  {
    name: "returns nothing",
    point: "run_finished",
    draft: { status: "succeeded", outputs: {}, degraded: false },
  } as HookCase<"run_finished">,
])

describe("the hook redact_pii", () => {
  it("fails closed, after hooks of earlier phases", () => {
    assert.deepInclude(of("redact_pii"), { onError: "fail", phase: "late" })
  })
})

describe("the hook audit", () => {
  it("keeps one entry for each call, without texts unless they are asked for", async () => {
    const kept = new Map<string, Json>()
    const collection: Collection = {
      get: () => Effect.undefined as never,
      put: (key, value) =>
        Effect.sync(() => {
          if (kept.has(key)) return { ok: false }
          kept.set(key, value)
          return { ok: true, entry: { key, value, version: 1, at: 0 } }
        }),
      remove: () => Effect.void,
      list: () => Effect.succeed([]),
      claim: () => Effect.undefined as never,
    }
    const context = (options: object) =>
      ({ now: 0, path: "ask", run: "r", with: options, collection: () => collection }) as never
    const audit = of("audit")
    const respond = (options: object) =>
      audit.also!.before_response!(
        { output: "answer", text: "Hello", streamed: false },
        context(options),
      ) as Effect.Effect<void>
    await Effect.runPromise(respond({}))
    await Effect.runPromise(respond({ texts: true }))
    const entry = {
      run: "r",
      path: "ask",
      point: "before_response",
      output: "answer",
      characters: 5,
    }
    assert.deepStrictEqual(
      [...kept],
      [
        ["1970-01-01T00:00:00.000Z r 1", entry],
        ["1970-01-01T00:00:00.000Z r 2", { ...entry, text: "Hello" }],
      ],
    )
  })
})

describe("a standard hook with a value that it cannot use", () => {
  it.each([
    ["time_persona", { zone: "Mars/Olympus" }, /Mars\/Olympus/],
    ["language", { language: "not a tag" }, /not a tag|Invalid/i],
    [
      "ab_test",
      { experiment: "lost", section: "persona", texts: { a: "b" } },
      /no experiment "lost"/,
    ],
    ["redact_pii", { country: "XX" }, /"XX" is not the code of a country/],
  ] as const)("%s fails", async (id, options, message) => {
    const hook = of(id)
    const context = {
      with: options,
      now: 0,
      user: {},
      calls: [],
      variant: () => undefined,
    } as never
    const draft =
      id === "ab_test"
        ? section("persona", "")
        : id === "redact_pii"
          ? { messages: [], sections: [] }
          : assembled
    const result = await Promise.resolve()
      .then(() => hook.run(draft as never, context) as unknown)
      .then((given) =>
        Effect.isEffect(given) ? Effect.runPromise(given as Effect.Effect<unknown>) : given,
      )
      .catch(String)
    assert.match(String(result), message)
  })

  const folder = mkdtempSync(join(tmpdir(), "planloom-standard-"))
  it.each([
    ["debug", "users: ada", "PL4007"],
    ["time_persona", "mornin: calm", "PL4005"],
    ["time_persona", "hours: { morning: 24 }", "PL4007"],
    ["language", "", "PL4006"],
    ["glossary", "terms: {}", "PL4007"],
    ["inject_context", "results: 0", "PL4007"],
    ["ab_test", "experiment: tone", "PL4006"],
    ["segment", "append: { section: persona }", "PL4006"],
    ["redact_pii", "kinds: [names]", "PL4007"],
    ["audit", "keep: soon", "PL0105"],
  ])("%s with %s is reported by check", async (id, options, code) => {
    writeFileSync(
      join(folder, "flow.yaml"),
      `apiVersion: planloom/v1
kind: Workflow
name: flow
hooks: [{ use: ${id}, with: { ${options} } }]
stages: [{ id: a, uses: echo }]
`,
    )
    const plugin = definePlugin({ id: "test", summary: "A stage.", components: { stages: [echo] } })
    const { diagnostics } = await Effect.runPromise(
      Effect.scoped(check(join(folder, "flow.yaml"), { extraPlugins: [hooks, plugin] })),
    )
    assert.deepStrictEqual(
      diagnostics
        .filter(({ severity }) => severity === "error")
        .map((one) => [one.code, one.start.line]),
      [[code, 4]],
    )
  })
})
