/** Gates of stages whose model calls tools: what cannot be read is reported by `check`, not in each turn. */
import { mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { check } from "@planloom/embed"
import { definePlugin } from "@planloom/plugin/effect"
import shadow from "@planloom/shadow"
import stages from "@planloom/stages"
import validators from "@planloom/validators"
import { scriptedProvider } from "../src/double/scriptedProvider.ts"
import { stubTools } from "../src/double/stubTools.ts"

const plugin = definePlugin({
  id: "test",
  summary: "A model and a tool.",
  components: { providers: [scriptedProvider([])], tools: [stubTools({ weigh: { result: 7 } })] },
})

const header = (kind: string, name: string) =>
  `apiVersion: planloom/v1\nkind: ${kind}\nname: ${name}\n`

/** Problems of a workflow with this stage, by a model with these capabilities; undefined for one that no file describes. */
const problems = (stage: string, capabilities: string | undefined) =>
  Effect.gen(function* () {
    const folder = mkdtempSync(join(tmpdir(), "planloom-gated-"))
    const facts =
      capabilities === undefined ? "" : `scripted/one: { capabilities: ${capabilities} }`
    writeFileSync(join(folder, "models.yaml"), `${header("Models", "m")}models: { ${facts} }\n`)
    writeFileSync(
      join(folder, "planloom.yaml"),
      "apiVersion: planloom/v1\nkind: Project\nmodel_facts: [models.yaml]\n",
    )
    const file = join(folder, "flow.yaml")
    writeFileSync(
      file,
      `${header("Workflow", "flow")}models: { small: { try: [scripted/one], otherwise: mechanical } }
shadow: { gate: [pii] }
stages: [{ id: say, model: small, ${stage} }]
`,
    )
    const { diagnostics } = yield* check(file, {
      extraPlugins: [plugin, shadow, stages, validators],
    })
    return diagnostics
      .filter(({ code }) => code === "PL4004")
      .map(({ help, message, start }) => `${start.line}:${start.col} ${message} | ${help}`)
  })

const agent = "uses: agent, with: { task: Weigh., tools: [weigh] }"

describe("a gate before a model that calls tools", () => {
  it.effect.each([
    [agent, "[]"],
    [agent, "[json_schema]"],
    ["uses: agent, with: { task: Weigh., tools: \"${{ ['weigh'] }}\" }", "[]"],
    ["uses: route, with: { request: Hi., start: a, agents: { a: { description: D. } } }", "[]"],
  ] as const)("is reported with what is missing: %s, capabilities %s", ([stage, capabilities]) =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* problems(stage, capabilities), [
        '5:1 "shadow" cannot read the calls of "say": "scripted/one" is known to call tools in its text | use a model that calls tools natively; if this one does, list it in a file of kind Models under model_facts: "scripted/one": { capabilities: [tools] }',
      ])
    }),
  )

  it.effect.each([
    [agent, "[tools]"],
    [agent, undefined],
    ["uses: generate, with: { task: Say. }", "[]"],
    ["uses: agent, with: { task: Say., tools: [] }", "[]"],
  ] as const)(
    "is not reported where the calls can be read: %s, capabilities %s",
    ([stage, capabilities]) =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* problems(stage, capabilities), [])
      }),
  )
})
