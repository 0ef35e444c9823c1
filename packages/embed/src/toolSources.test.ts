/** What `check` reports of the tools that sources list. */
import { mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import {
  definePlugin,
  ToolFailed,
  type Components,
  type Tool,
  type ToolSource,
} from "@planloom/plugin"
import { echo } from "../../core/test/inline.ts"
import { check } from "./Workflow.ts"

const tool = (name: string, more: Partial<Tool> = {}): Tool => ({
  name,
  summary: `Does ${name}.`,
  capabilities: [],
  inputs: {},
  params: true,
  outputs: [],
  ...more,
})

const source = (list: ToolSource["list"]): ToolSource => ({
  id: "shelf",
  summary: "Tools.",
  list,
  call: () => Effect.succeed({ value: null }),
})

/** Diagnostics of a workflow with the components. */
const messages = (
  components: Components,
  body = "stages: [{ id: a, uses: echo, with: { value: 1 } }]\n",
) => {
  const path = join(mkdtempSync(join(tmpdir(), "planloom-")), "w.yaml")
  writeFileSync(
    path,
    `apiVersion: planloom/v1\nkind: Workflow\nname: test\nuse: { plugins: [] }\n${body}`,
  )
  const plugin = definePlugin({
    id: "test",
    summary: "Test.",
    components: { ...components, stages: [echo, ...(components.stages ?? [])] },
  })
  return Effect.map(check(path, { extraPlugins: [plugin] }), ({ diagnostics }) =>
    diagnostics.map(({ code, message, severity }) => `${severity} ${code} ${message}`),
  )
}

describe("a tool source", () => {
  it.effect("that lists all its tools is not reported", () =>
    Effect.gen(function* () {
      const tools = [source(Effect.succeed({ tools: [tool("look")] }))]
      assert.deepStrictEqual(yield* messages({ tools }), [])
    }),
  )

  it.effect("that lists only some of its tools is reported with its reason", () =>
    Effect.gen(function* () {
      const partial = "page 2 did not arrive"
      const tools = [source(Effect.succeed({ tools: [tool("look")], partial }))]
      assert.deepStrictEqual(yield* messages({ tools }), [
        `warning PL4013 the tool source "shelf" lists only some of its tools: ${partial}`,
      ])
    }),
  )

  it.effect("that cannot list its tools is reported with its failure", () =>
    Effect.gen(function* () {
      const failure = new ToolFailed({ tool: "", class: "unavailable", message: "no server" })
      assert.deepStrictEqual(yield* messages({ tools: [source(Effect.fail(failure))] }), [
        'warning PL4013 the tool source "shelf" cannot list its tools: no server; only the catalogs\' entries are known',
      ])
    }),
  )
})
