import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { assemblePrompt, type PromptSite } from "./assemblePrompt.ts"
import { compilePrompts } from "./compilePrompts.ts"
import { systemBlocks } from "./systemBlocks.ts"

const files = new Map([
  ["planner", { path: "prompts/planner.md", text: "Plan for ${{ inputs.who }}." }],
  ["style", { path: "prompts/style.md", text: "Be short." }],
])
const full = {
  sections: ["style", "task"],
  tools: "all",
  max_tokens: undefined,
  truncate: [],
} as const
const prompts = compilePrompts({ full }, files)

const site: PromptSite = {
  work: { uses: "chat", prompt: undefined, model: undefined },
  scope: { inputs: { who: "Ada" } },
  pipeline: { facts: new Map(), prompts },
  registry: new Map(),
  pinned: undefined,
  isLoop: false,
  hooks: undefined,
  unknownMode: () => {},
}

const blocksOf = (mode: string | undefined) =>
  Effect.map(
    assemblePrompt(
      { messages: [] },
      { ...site, work: { ...site.work, prompt: prompts.of({ use: "planner", mode }) } },
    ),
    ({ sections }) => systemBlocks(sections),
  )

describe("a compiled prompt", () => {
  it.effect("makes a section with a constant text once, and another one for each call", () =>
    Effect.gen(function* () {
      const prompt = prompts.of({ use: "planner", mode: "full" })
      const sectionsFor = (who: string) =>
        Effect.map(
          assemblePrompt(
            { messages: [] },
            { ...site, scope: { inputs: { who } }, work: { ...site.work, prompt } },
          ),
          ({ sections }) => sections,
        )
      const [ada, bob] = [yield* sectionsFor("Ada"), yield* sectionsFor("Bob")]
      assert.strictEqual(ada[0], bob[0])
      assert.deepStrictEqual(
        [ada, bob].map((sections) => sections[1]!.text),
        ["Plan for Ada.", "Plan for Bob."],
      )
    }),
  )

  it.effect("gives the sections of its mode in order, constant ones as a block to keep", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* blocksOf("full"), [
        { text: "Be short.", cache: true },
        { text: "Plan for Ada." },
      ])
    }),
  )

  it.effect("without a mode is its own text", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* blocksOf(undefined), [{ text: "Plan for Ada." }])
    }),
  )

  it.effect("is shortened after its hooks, so that what they add counts", () =>
    Effect.gen(function* () {
      const short = { ...full, max_tokens: 6, truncate: ["style"] }
      const made = yield* assemblePrompt(
        { messages: [] },
        {
          ...site,
          work: {
            ...site.work,
            prompt: compilePrompts({ short }, files).of({ use: "planner", mode: "short" }),
          },
          hooks: (point, draft) =>
            Effect.succeed(
              point === "section_build" && "id" in draft && draft.id === "style"
                ? { ...draft, text: "Be very short, and kind." }
                : draft,
            ),
        },
      )
      assert.deepStrictEqual(
        made.sections.map(({ text }) => text),
        ["Be …", "Plan for Ada."],
      )
      assert.deepStrictEqual(made.cuts, [{ section: "style", from: 6, to: 2 }])
    }),
  )

  it("is unknown without a file", () => {
    assert.isUndefined(prompts.named("another"))
    assert.isUndefined(prompts.section("another"))
  })
})
