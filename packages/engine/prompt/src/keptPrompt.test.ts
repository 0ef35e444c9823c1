/** The prompts of stages that have none. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type { Ask, Tool } from "@planloom/plugin/effect"
import { assemblePrompt, type PromptSite } from "./assemblePrompt.ts"
import { keptPrompt } from "./keptPrompt.ts"

const tool = (name: string): Tool => ({
  name,
  summary: "Looks.",
  capabilities: [],
  inputs: {},
  params: true,
  outputs: [],
})

const registryOf = (...names: ReadonlyArray<string>) =>
  new Map(names.map((name) => [name, { tool: tool(name) }]))

const siteOf = (registry: PromptSite["registry"], more: Partial<PromptSite> = {}): PromptSite => ({
  work: { uses: "ask", prompt: undefined, model: undefined },
  scope: {},
  pipeline: { facts: undefined as never, prompts: undefined as never },
  registry,
  pinned: undefined,
  isLoop: false,
  hooks: undefined,
  unknownMode: () => undefined,
  ...more,
})

const ask = (...tools: NonNullable<Ask["tools"]>): Ask => ({ messages: [], tools })

const promptOf = (asked: Ask, site: PromptSite) =>
  keptPrompt(asked, site.work, site.registry) ?? assemblePrompt(asked, site)

describe("the prompt of a stage without one", () => {
  it.effect("is assembled once for the tools that it offers", () =>
    Effect.gen(function* () {
      const site = siteOf(registryOf("find", "send"))
      const first = yield* promptOf(ask("find", "send"), site)
      assert.deepStrictEqual(
        first.offers.map(({ tool: name }) => name),
        ["find", "send"],
      )
      assert.strictEqual(yield* promptOf(ask("find", "send"), site), first)
      const turned = yield* promptOf(ask("send", "find"), site)
      assert.deepStrictEqual(
        turned.offers.map(({ tool: name }) => name),
        ["send", "find"],
      )
    }),
  )

  it.effect(
    "is assembled anew for other tools of the same names, as after their list changed",
    () =>
      Effect.gen(function* () {
        const before = yield* promptOf(ask("find"), siteOf(registryOf("find")))
        const gone = new Map([["find", { tool: { ...tool("find"), available: "no connection" } }]])
        const after = yield* promptOf(ask("find"), siteOf(gone))
        assert.lengthOf(before.offers, 1)
        assert.lengthOf(after.offers, 0)
      }),
  )

  it.effect("fails each time for a tool that the workflow does not have", () =>
    Effect.gen(function* () {
      const site = siteOf(registryOf("find"))
      for (let time = 0; time < 2; time++) {
        const failure = yield* Effect.flip(promptOf(ask("fnd"), site))
        assert.include(failure.message, '"fnd"')
      }
    }),
  )

  it.effect("is assembled once for stable sections, and follows their texts and its kind", () =>
    Effect.gen(function* () {
      const registry = registryOf("find")
      const rules = { id: "rules", text: "Be brief.", stable: true }
      const asking = (one: typeof rules, uses = "ask") =>
        promptOf(
          { ...ask("find"), prompt: { sections: [one] } },
          siteOf(registry, { work: { uses, prompt: undefined, model: undefined } }),
        )
      const first = yield* asking(rules)
      assert.strictEqual(yield* asking({ ...rules }), first)
      const other = yield* asking(rules, "other")
      assert.strictEqual(other.sections[0]?.source, "kind:other")
      rules.text = "Be long."
      assert.strictEqual((yield* asking(rules)).sections[0]?.text, "Be long.")
      assert.strictEqual(
        (yield* asking({ ...rules, text: "Be brief." })).sections[0]?.text,
        "Be brief.",
      )
      const changing = { ...rules, text: "Be brief.", stable: false }
      assert.isFalse((yield* asking(changing)).sections[0]?.stable)
    }),
  )

  it.effect("follows the form of an offer, and the sections of an ask", () =>
    Effect.gen(function* () {
      const site = siteOf(registryOf("find"))
      yield* promptOf(ask("find"), site)
      const offered = yield* promptOf(ask({ tool: "find", form: "index" }), site)
      assert.strictEqual(offered.offers[0]?.form, "index")
      const sections = [{ id: "rules", text: "Be brief.", stable: true }]
      const asked = yield* promptOf({ ...ask("find"), prompt: { sections } }, site)
      assert.deepInclude(asked.sections[0], { id: "rules", text: "Be brief." })
    }),
  )
})
