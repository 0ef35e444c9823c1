/** The identity of a call: that of its params as they were given, whenever it is read. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as fc from "fast-check"
import {
  stageKind,
  StageFailed,
  type CallRecord,
  type JsonObject,
  type StageContext,
  type Tool,
} from "@planloom/plugin/effect"
import type { RegisteredTool } from "@planloom/language"
import { cases } from "../../../../../../.config/cases.ts"
import { collect } from "../../../test/collect.ts"
import { workflowOf } from "../../../test/inline.ts"
import { CallIdentity, type Hiding } from "./CallIdentity.ts"
import { identify } from "./identified.ts"

const look: Tool = {
  name: "look",
  summary: "Looks.",
  capabilities: [],
  inputs: {},
  outputs: [],
  params: { type: "object", properties: { unit: { type: "string", default: "km" } } },
}
const registered: RegisteredTool = { tool: look, source: undefined, timeout: undefined }
const nothingHidden: Hiding = { personal: undefined, secrets: undefined }

const identityOf = (params: JsonObject, hiding = nothingHidden, inputs: JsonObject = {}) =>
  new CallIdentity({ tool: "look", params, inputs, language: undefined }, registered, 0, hiding)

const params = fc.dictionary(fc.string(), fc.jsonValue()) as fc.Arbitrary<JsonObject>

/** The same members in another order. */
const turned = (of: JsonObject): JsonObject => Object.fromEntries(Object.entries(of).toReversed())

describe("the identity of a call", () => {
  it("is the same before and after its tool has changed the params", () => {
    fc.assert(
      fc.property(params, (given) => {
        const now = identityOf(given)
        const { key } = now
        const changed = structuredClone(given) as { [name: string]: unknown }
        const late = identityOf(changed as JsonObject)
        for (const name of Object.keys(changed)) delete changed[name]
        changed["more"] = 1
        assert.deepStrictEqual([late.key, late.recorded, late.isAmbiguous], [key, key, false])
      }),
      { numRuns: cases(50) },
    )
  })

  it("is the same for members in another order, and with a default written out", () => {
    fc.assert(
      fc.property(params, (given) => {
        assert.strictEqual(identityOf(turned(given)).key, identityOf(given).key)
        const { unit: _, ...rest } = given
        assert.strictEqual(identityOf({ ...rest, unit: "km" }).key, identityOf(rest).key)
      }),
      { numRuns: cases(50) },
    )
  })

  it("is another one for other params, inputs or a hidden value", () => {
    const one = identityOf({ n: 1 }).key
    assert.notStrictEqual(identityOf({ n: 2 }).key, one)
    assert.notStrictEqual(identityOf({ n: 1 }, nothingHidden, { table: [1] }).key, one)
    const secrets = (value: unknown) => JSON.parse(JSON.stringify(value).replace("7", "0"))
    const hidden = identityOf({ n: 7 }, { personal: undefined, secrets })
    assert.strictEqual(hidden.recorded, identityOf({ n: 0 }).key)
    assert.strictEqual(hidden.key, identityOf({ n: 7 }).key)
    assert.isTrue(hidden.isAmbiguous)
  })

  it("is a member like any other of what it is given to", () => {
    const identity = identityOf({ n: 1 })
    const event: { readonly path: string; readonly identity?: string } = { path: "a" }
    identify(event, identity)
    const whole = { path: "a", identity: identity.recorded }
    assert.deepStrictEqual(event, whole)
    assert.deepStrictEqual({ ...event }, whole)
    assert.deepStrictEqual(structuredClone(event), whole)
    assert.deepStrictEqual(JSON.parse(JSON.stringify(event)), whole)
    assert.deepStrictEqual(Object.entries(event), Object.entries(whole))
  })
})

describe("a tool that changes its params", () => {
  const source = (made: Array<string>) => ({
    id: "places",
    summary: "Places.",
    list: Effect.succeed({ tools: [{ ...look, name: "write", effect: "write" as const }, look] }),
    call: ({ params: given, tool }: { readonly params: JsonObject; readonly tool: string }) =>
      Effect.sync(() => {
        made.push(tool)
        ;(given as { unit?: string }).unit = "mi"
        return { value: made.length }
      }),
  })

  it("is not called again by a retry, and its event and record have one identity", () =>
    Effect.runPromise(
      Effect.gen(function* () {
        const made: Array<string> = []
        let seen: ReadonlyArray<CallRecord> = []
        let attempts = 0
        const calling = stageKind<object>({
          id: "calling",
          summary: "Calls two tools, and fails once.",
          input: { type: "object" },
          output: { type: "array" },
          run: Effect.fnUntraced(function* (_: object, context: StageContext) {
            const { callTool } = context
            const results = [
              yield* callTool({ tool: "write", params: { of: "A" }, key: "one" }),
              yield* callTool({ tool: "look", params: { of: "A" }, key: "two" }),
            ]
            if (++attempts === 1) {
              return yield* Effect.fail(
                new StageFailed({ class: "unavailable", message: "not now" }),
              )
            }
            seen = context.calls
            return results
          }),
        })
        const { pipeline } = yield* workflowOf(
          "stages: [{ id: a, uses: calling, retry: { max_retries: 1, delay: 1ms, on: [unavailable] } }]\noutputs: { results: { type: array, value: '${{ stages.a.output }}' } }\n",
          { stages: [calling], tools: [source(made)] },
        )
        const { events, result } = yield* collect(pipeline, {})
        assert.deepStrictEqual(result.outputs["results"], [1, 2])
        assert.deepStrictEqual(made, ["write", "look"])
        const called = events.filter((event) => event.type === "ToolCalled")
        assert.deepStrictEqual(
          called.map(({ from, identity, tool }) => [tool, from, identity]),
          [undefined, "made"].flatMap((from) =>
            ["write", "look"].map((tool) => [
              tool,
              from,
              called.find((one) => one.tool === tool)!.identity,
            ]),
          ),
        )
        assert.deepStrictEqual(
          seen.map(({ from, identity, tool }) => [tool, from, identity]),
          called.slice(2).map(({ from, identity, tool }) => [tool, from, identity]),
        )
        assert.match(called[0]!.identity!, /^[0-9a-f]{32}$/)
      }).pipe(Effect.scoped),
    ))
})
