/** Every kind of component acts: one of each in the example plugin, stores by the key `runs.store`, hooks at every point. */
import { componentKinds, hook, hookPoints, type AnyHook } from "@planloom/plugin/effect"
import { assert, describe, it } from "vitest"
import everything from "../../../../../examples/plugin-everything/effect.ts"
import { groups } from "./groups.ts"
import { observe } from "./World.ts"
import { flow, many } from "./worlds.ts"

describe("a component", () => {
  it("of every kind is in the example plugin, whose run shows its effect, or has a key of its own", () => {
    const shown = new Set([
      ...Object.keys(everything.components ?? {}),
      ...Object.keys(everything.provides ?? {}),
    ])
    assert.deepStrictEqual(
      componentKinds.filter((kind) => !shown.has(kind)),
      ["stores"],
    )
    assert.isTrue(groups["embeddings and stores"].some(({ key }) => key === "Project.runs.store"))
  })
})

describe("a hook", () => {
  it.each(hookPoints.map(({ id }) => [id] as const))("at %s acts", async (point) => {
    const finds = hook({
      id: "finds",
      summary: "Finds something.",
      point,
      kind: "review",
      run: () => ({ verdict: "flag", confidence: 1, reason: "seen" }),
    } as never) as AnyHook
    const { events, refused } = await observe(
      flow(
        `
hooks: [{ use: finds }]
prompts: { a: a.md }
defaults: { model: scripted/one }
stages:
  - { id: ask, uses: agent, prompt: { use: a }, with: { task: Weigh., tools: [weigh] } }
outputs: { said: { value: "\${{ stages.ask.output.text }}" } }
`,
        {
          components: () => ({ hooks: [finds] }),
          files: { "a.md": "You weigh.\n" },
          tools: { weigh: { result: 7 } },
          replies: [{ tool_calls: [{ name: "weigh", arguments: {} }] }, ...many({ text: "done" })],
        },
      ),
    )
    assert.isUndefined(refused)
    const ran = events.filter((event) => event.type === "HookRan")
    assert.isAtLeast(ran.length, 1)
    assert.deepStrictEqual(new Set(ran.map((event) => event.point)), new Set([point]))
  })
})
