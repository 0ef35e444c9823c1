/** One order for the params of every call: normalized, filled, repaired, checked, whichever stage makes the call. */
import { mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { run } from "@planloom/core"
import { check, load } from "@planloom/embed"
import {
  definePlugin,
  type JsonObject,
  type RunEvent,
  type ToolSource,
} from "@planloom/plugin/effect"
import stages from "../src/index.ts"

const params = {
  type: "object",
  additionalProperties: false,
  required: ["router", "sinceMinutes"],
  properties: {
    router: { enum: ["uniswap_v3", "sushi_v2"] },
    sinceMinutes: { type: "integer", minimum: 1 },
    chainId: { type: "integer" },
  },
} as const

/** A catalog's additions to the tool, which its source lists without expressions. */
const catalog = `apiVersion: planloom/v1
kind: Catalog
tools:
  - name: base.activity
    summary: Activity of a router.
    effect: read
    normalize: { router: "params.router == 'uni v3' ? 'uniswap_v3' : params.router" }
    defaults:
      sinceMinutes: "inputs.minutes"
      chainId: "has(params.sinceMinutes) && params.sinceMinutes == 30 ? {'base': 8453}[user.network] : null"
`

const written = "${{ inputs.given }}"

/** The same params in each kind of stage. */
const kinds = {
  call: `uses: call, with: { tool: base.activity, params: "${written}" }`,
  execute: `uses: execute, with: { source: null, plan: { steps: [{ id: one, tool: base.activity, inputs: {}, params: "${written}", satisfies: [] }] } }`,
  agent: "uses: agent, model: scripted/one, with: { task: Look., tools: [base.activity] }",
  act: `uses: act, with: { plan: { intent: look, reasoning_summary: "", chat_response: One moment., candidate_tools: [base.activity], arguments: "${written}", confidence: 1 } }`,
}

type Kind = keyof typeof kinds

/** Runs the call in a stage of the kind. */
const called = (kind: Kind, given: JsonObject, tool: Partial<{ effect: "read" | "write" }> = {}) =>
  Effect.gen(function* () {
    const seen: Array<JsonObject> = []
    const source: ToolSource = {
      id: "base",
      summary: "Base.",
      list: Effect.succeed({
        tools: [
          {
            name: "base.activity",
            summary: "Activity.",
            capabilities: [],
            inputs: {},
            outputs: [],
            params,
            ...tool,
          },
        ],
      }),
      call: (invocation) =>
        Effect.sync(() => {
          seen.push(invocation.params)
          return { value: "done" }
        }),
    }
    let asked = 0
    const plugin = definePlugin({
      id: "test",
      summary: "Test.",
      components: {
        tools: [source],
        providers: [
          {
            id: "scripted",
            summary: "Calls the tool, then answers.",
            generate: () =>
              Effect.sync(() => ({
                text: "done",
                reasoning: "",
                toolCalls:
                  asked++ === 0 ? [{ id: "1", name: "base.activity", arguments: given }] : [],
                finish: asked === 1 ? ("tool_calls" as const) : ("stop" as const),
                usage: { input: 1, output: 1 },
              })),
          },
        ],
      },
    })
    const folder = mkdtempSync(join(tmpdir(), "planloom-order-"))
    const path = join(folder, "w.yaml")
    writeFileSync(join(folder, "tools.yaml"), catalog)
    writeFileSync(
      path,
      `apiVersion: planloom/v1
kind: Workflow
name: order
use: { files: [tools.yaml] }
user: { type: object, required: [network], properties: { network: { type: string } } }
inputs: { given: { type: object }, minutes: { type: integer, default: 30 } }
stages: [{ id: work, ${kinds[kind]} }]
`,
    )
    const options = { extraPlugins: [stages, plugin] }
    const { diagnostics } = yield* check(path, options)
    const events: Array<RunEvent> = []
    yield* Effect.scoped(
      Effect.flatMap(load(path, options), ({ pipeline }) =>
        run(
          pipeline,
          { given },
          { user: { network: "base" }, onEvent: (event) => events.push(event) },
        ),
      ),
    ).pipe(Effect.exit)
    return {
      seen,
      // An input that only a default of the catalog reads is used.
      problems: diagnostics.flatMap(({ message, severity }) =>
        severity === "error" || message.includes("minutes") ? [message] : [],
      ),
      event: events.find((one) => one.type === "ToolCalled"),
    }
  })

describe.each(Object.keys(kinds) as ReadonlyArray<Kind>)("a call of the stage kind %s", (kind) => {
  it.effect("is made with params that are normalized and filled from the workflow", () =>
    Effect.gen(function* () {
      const { problems, seen } = yield* called(kind, { router: "uni v3" })
      assert.deepStrictEqual(problems, [])
      assert.deepStrictEqual(seen, [{ router: "uniswap_v3", sinceMinutes: 30, chainId: 8453 }])
    }),
  )

  it.effect("keeps a given param, and fills none whose default is null", () =>
    Effect.gen(function* () {
      const { seen } = yield* called(kind, { router: "sushi_v2", sinceMinutes: 5 })
      assert.deepStrictEqual(seen, [{ router: "sushi_v2", sinceMinutes: 5 }])
    }),
  )

  it.effect("is repaired after that, and records what was repaired", () =>
    Effect.gen(function* () {
      const given = { router: "Sushi V2", sinceMinutes: "5" }
      const { event, seen } = yield* called(kind, given, { effect: "read" })
      assert.deepStrictEqual(seen, [{ router: "sushi_v2", sinceMinutes: 5 }])
      assert.sameMembers(
        (event?.type === "ToolCalled" ? event.repairs : [])?.map(({ rule }) => rule) ?? [],
        ["fold_choice", "to_number"],
      )
    }),
  )

  it.effect("is not made with params that no rule repairs", () =>
    Effect.gen(function* () {
      const { seen } = yield* called(kind, { router: "curve" })
      assert.deepStrictEqual(seen, [])
    }),
  )
})
