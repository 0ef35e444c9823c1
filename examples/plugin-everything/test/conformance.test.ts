/** The suites of `@planloom/testing` for the components of both plugins. */
import { tmpdir } from "node:os"
import { join } from "node:path"
import {
  embedderSuite,
  gateSuite,
  hookSuite,
  subagentSuite,
  toolSourceSuite,
  validatorSuite,
} from "@planloom/testing"
import { describe, it } from "vitest"
import inEffectStyle from "../effect.ts"
import inPromiseStyle from "../promise.ts"

const runner = { describe, it }

for (const [style, { components = {} }] of Object.entries({ inEffectStyle, inPromiseStyle })) {
  const {
    embedders = [],
    hooks = [],
    subagents = [],
    tools = [],
    sections = [],
    validators = [],
  } = components
  describe(`the plugin ${style}`, () => {
    embedderSuite(runner, embedders[0]!)
    const hide = sections.find(({ key }) => key === "hide")!
    const known = {
      has: () => true,
      schemaOf: () => undefined,
      reviewer: () => undefined,
      files: () => [],
    }
    gateSuite(runner, "hide", hide.bind!(["roof"], known).gate!, [
      { name: "hides a word", text: "on the roof, roofs", settled: "on the …, …s" },
    ])
    hookSuite(runner, hooks[0]!, [
      {
        name: "signs what compose has written",
        draft: { uses: "compose", output: { text: "Hello" } },
        with: { name: "Ada" },
      },
    ])
    subagentSuite(runner, subagents[0]!, [
      {
        name: "flags a loud text",
        draft: { text: "Hey!" },
        replies: [{ text: "Hey!" }],
        verdict: "flag",
      },
    ])
    toolSourceSuite(
      runner,
      tools[0]!,
      [{ name: "counts words", tool: "count_words", params: { text: "one two" } }],
      { workspace: join(tmpdir(), "planloom-everything") },
    )
    validatorSuite(runner, validators[0]!, [
      { name: "blocks a long text", text: "too long", with: { most: 3 }, verdict: "block" },
    ])
  })
}
