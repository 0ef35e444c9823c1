/** Calls of an earlier process answer those of a run that is resumed. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { definePlugin, type Tool, type ToolSource } from "@planloom/plugin/effect"
import { run } from "@planloom/core"
import { load } from "@planloom/embed"
import { resume } from "@planloom/record"
import stages from "@planloom/stages"
import { newFile, newFolder, storeAt } from "./store.ts"

const step = (id: string, tool: string) => ({
  id,
  tool,
  inputs: {},
  params: { of: "x" },
  satisfies: [],
})

/** Two plans with a question of a person between them; gives the calls that reached the tools, and where results came from. */
const resumed = (tools: ReadonlyArray<Partial<Tool> & { readonly name: string }>, second: string) =>
  Effect.gen(function* () {
    const reached: Array<string> = []
    const source: ToolSource = {
      id: "tools",
      summary: "Tools.",
      list: Effect.succeed({
        tools: tools.map((one) => ({
          summary: "Works.",
          capabilities: [],
          inputs: {},
          outputs: [],
          params: { type: "object" },
          ...one,
        })),
      }),
      call: ({ tool }) =>
        Effect.sync(() => {
          reached.push(tool)
          return { value: `${tool} ${reached.length}` }
        }),
    }
    const plugin = definePlugin({ id: "test", summary: "Test.", components: { tools: [source] } })
    const folder = newFolder()
    const plan = (name: string) => JSON.stringify({ steps: [step("one", name)] })
    writeFileSync(
      join(folder, "w.yaml"),
      `apiVersion: planloom/v1
kind: Workflow
name: made
stages:
  - { id: a, uses: execute, with: { source: null, plan: ${plan(tools[0]!.name)} } }
  - { id: ask, uses: approve, with: { message: Go on? } }
  - { id: b, uses: execute, with: { source: null, plan: ${plan(second)} } }
outputs: { last: "\${{ stages.b.output.last }}" }
`,
    )
    const store = storeAt(newFile())
    const { pipeline } = yield* load(join(folder, "w.yaml"), { extraPlugins: [stages, plugin] })
    const { waits = [] } = yield* run(pipeline, {}, { store, run: "r" })
    yield* store.answer("r", waits[0]!.name, { value: { approved: true }, by: "ann", at: 1 })
    const result = yield* resume(pipeline, "r", { store })
    const events = yield* store.events("r")
    return {
      reached,
      from: events.flatMap((event) => (event.type === "ToolCalled" ? [event.from ?? ""] : [])),
      last: result.outputs["last"],
    }
  })

describe("a call of a resumed run", () => {
  it.effect("is answered by an equal one of the process before, from its record", () =>
    Effect.gen(function* () {
      const { from, last, reached } = yield* resumed([{ name: "look", effect: "read" }], "look")
      assert.deepStrictEqual(
        { from, last, reached },
        {
          from: ["", "made"],
          last: "look 1",
          reached: ["look"],
        },
      )
    }),
  )

  it.effect("that reads is made again if a tool of its source writes", () =>
    Effect.gen(function* () {
      const tools = [{ name: "look", effect: "read" as const }, { name: "change" }]
      const { from, last } = yield* resumed(tools, "look")
      assert.deepStrictEqual({ from, last }, { from: ["", ""], last: "look 2" })
    }),
  )

  it.effect("that writes is not made twice", () =>
    Effect.gen(function* () {
      const { from, reached } = yield* resumed([{ name: "change" }], "change")
      assert.deepStrictEqual({ from, reached }, { from: ["", "made"], reached: ["change"] })
    }),
  )
})
