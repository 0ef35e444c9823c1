/** The variables that prompts read: those that the stage kind declares, unless a hook may change them. */
import { mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { definePlugin, hook, stageKind } from "@planloom/plugin/effect"
import hooks from "@planloom/hooks"
import { check } from "@planloom/embed"

const kind = (id: string, more = {}) =>
  stageKind<object>({
    id,
    summary: "Asks.",
    input: { type: "object" },
    output: { type: "string" },
    model: () => Effect.succeed(""),
    ...more,
  })

const vars = {
  type: "object",
  properties: { tone: { type: "string" } },
  required: ["tone"],
  additionalProperties: false,
} as const

const plugin = definePlugin({
  id: "kinds",
  summary: "Kinds and a hook.",
  components: {
    stages: [kind("plain"), kind("toned", { vars })],
    hooks: [
      hook({
        id: "adds",
        summary: "Adds a variable.",
        point: "pre_assembly",
        kind: "transform",
        run: () => Effect.succeed({ vars: { nothing: "x" } }),
      }),
    ],
  },
})

const problems = (uses: string, prompt: string, more = "") =>
  Effect.gen(function* () {
    const folder = mkdtempSync(join(tmpdir(), "planloom-vars-"))
    writeFileSync(join(folder, "p.md"), prompt)
    const path = join(folder, "flow.yaml")
    writeFileSync(
      path,
      `apiVersion: planloom/v1\nkind: Workflow\nname: flow\nprompts: { p: ./p.md }\nmodels: { m: { try: [], otherwise: mechanical } }\n${more}stages: [{ id: a, uses: ${uses}, model: m, prompt: p }]\noutputs: { a: "\${{ stages.a.output }}" }\n`,
    )
    const { diagnostics } = yield* check(path, { extraPlugins: [plugin, hooks] })
    return diagnostics.flatMap(({ code, file, message, start }) =>
      file.endsWith("p.md") ? [`${start.line}:${start.col} ${code} ${message}`] : [],
    )
  })

describe("a prompt that reads a variable", () => {
  it.effect("is refused unless the stage kind gives it", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* problems("plain", "Be ${{ vars.nothing }}."), [
        '1:13 PL1201 vars has no field "nothing"',
      ])
      assert.lengthOf(yield* problems("toned", "Be ${{ vars.nothing }}."), 1)
      assert.deepStrictEqual(yield* problems("toned", "Be ${{ vars.tone }}."), [])
    }),
  )

  it.effect("may read anything where a hook changes the variables", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(
        yield* problems("plain", "Be ${{ vars.nothing }}.", "hooks: [{ use: adds }]\n"),
        [],
      )
    }),
  )
})
