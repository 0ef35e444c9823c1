/** Configs of plugins that are files: found by the file, however its path is written. */
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { inspect } from "node:util"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { checkFile } from "@planloom/language"
import { check, load } from "./Workflow.ts"

const schema = import.meta.resolve("effect/Schema")
const plugin = import.meta.resolve("@planloom/plugin/effect")
const code = `import * as Schema from "${schema}"
import { definePlugin } from "${plugin}"
export default definePlugin({ id: "own", summary: "Own.", config: Schema.Struct({ address: Schema.String }), components: {} })
`

/** Problems of a workflow that uses the plugin by one path, in a project that has its config under another. */
const problems = (used: string, key: string, config = "{ address: here }") =>
  Effect.gen(function* () {
    const root = mkdtempSync(join(tmpdir(), "planloom-configs-"))
    mkdirSync(join(root, "flows/deep"), { recursive: true })
    writeFileSync(join(root, "flows/plugin.ts"), code)
    writeFileSync(
      join(root, "planloom.yaml"),
      `apiVersion: planloom/v1\nkind: Project\nplugins: { "${key.replace("ROOT", root)}": ${config} }\n`,
    )
    const path = join(root, "flows/deep/flow.yaml")
    writeFileSync(
      path,
      `apiVersion: planloom/v1\nkind: Workflow\nname: flow\nuse: { plugins: ["${used}"] }\nstages: [{ id: a, uses: switch, with: { on: "true", cases: { "true": { uses: switch, with: { on: "1", cases: {} } } } } }]\n`,
    )
    const { diagnostics } = yield* check(path)
    return { path, found: diagnostics.filter(({ code: one }) => one.startsWith("PL400")) }
  })

describe("the config of a plugin that is a file", () => {
  it.effect("is found by the file", () =>
    Effect.gen(function* () {
      for (const key of [
        "./flows/plugin.ts",
        "./flows/deep/../plugin.ts",
        "ROOT/flows/plugin.ts",
      ]) {
        assert.deepStrictEqual((yield* problems("../plugin.ts", key)).found, [], key)
      }
    }),
  )

  it.effect("that does not fit is reported at its key, with the member", () =>
    Effect.gen(function* () {
      const { found } = yield* problems("../plugin.ts", "./flows/plugin.ts", "{ address: 3 }")
      assert.lengthOf(found, 1)
      assert.include(found[0]!.message, 'the config of "../plugin.ts" does not fit: address: ')
      assert.include(found[0]!.file, "planloom.yaml")
      const { found: none } = yield* problems("../plugin.ts", "./flows/other.ts")
      assert.include(none[0]!.message, "address: Missing key")
      assert.include(none[0]!.help, 'write it under plugins: { "../plugin.ts": { … } }')
    }),
  )
})

it.effect("the config of a plugin file that is not there is reported at its key", () =>
  Effect.gen(function* () {
    const root = mkdtempSync(join(tmpdir(), "planloom-configs-"))
    writeFileSync(join(root, "plugin.ts"), code)
    const file = join(root, "planloom.yaml")
    const key = (name: string) => `  "${name}": { address: here }\n`
    writeFileSync(
      file,
      `apiVersion: planloom/v1\nkind: Project\nplugins:\n${key("./plugin.ts")}${key("./plugins.ts")}${key("@x/y")}`,
    )
    const { diagnostics } = yield* checkFile(file)
    assert.deepStrictEqual(
      diagnostics.map(
        ({ code: one, message, start }) => `${start.line}:${start.col} ${one} ${message}`,
      ),
      ['5:3 PL4011 there is no file "./plugins.ts", so no plugin reads this config'],
    )
  }),
)

describe("a workflow that cannot be loaded", () => {
  it.effect("is an error that prints no file", () =>
    Effect.gen(function* () {
      const { path } = yield* problems("../plugin.ts", "./flows/other.ts")
      const error = yield* Effect.flip(Effect.scoped(load(path)))
      assert.isAbove((error as { readonly sources: ReadonlyMap<string, unknown> }).sources.size, 0)
      assert.notInclude(inspect(error, { depth: 9 }), "apiVersion: planloom/v1")
    }),
  )
})
