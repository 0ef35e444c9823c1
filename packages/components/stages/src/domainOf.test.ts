import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { tables } from "@planloom/analyst"
import type { Domain, Json, JsonObject } from "@planloom/plugin/effect"
import { makeContext, runKind } from "../../stage-kit/test/context.ts"
import { templates, tools } from "../../../engine/planning/test/travel.ts"
import { adapt } from "./kinds/adapt.ts"
import { cover } from "./kinds/cover.ts"
import { execute } from "./kinds/execute.ts"
import { narrow } from "./kinds/narrow.ts"

const requirements = [
  { kind: "task", label: "find a way", tools: ["find_trip"] },
  { kind: "tool", label: "book_trip" },
]
const names = ["find_trip", "book_trip"]

const adapted = (domains: ReadonlyArray<Domain>, input: JsonObject = {}) =>
  runKind(
    adapt,
    "mechanical",
    { requirements, tools: names, ...input },
    makeContext({ tools, files, domains }),
  )

const files = { PlanTemplate: templates as unknown as ReadonlyArray<Json> }

describe("planning by a plain list of requirements", () => {
  it.effect("narrows, adapts and covers without a domain", () =>
    Effect.gen(function* () {
      const found = yield* runKind(
        narrow,
        "run",
        { requirements, limit: 1 },
        makeContext({ tools, files }),
      )
      assert.includeMembers([...(found["tools"] as ReadonlyArray<string>)], names)
      const { plan, uncovered } = yield* adapted([])
      assert.deepStrictEqual(uncovered, [])
      const checked = yield* runKind(
        cover,
        "run",
        { plan: plan!, requirements },
        makeContext({ tools }),
      )
      assert.isTrue(checked["ok"])
    }),
  )

  it.effect("reports the tool that a plan must use and does not", () =>
    Effect.gen(function* () {
      const checked = yield* runKind(
        cover,
        "run",
        { plan: { steps: [] }, requirements },
        makeContext({ tools }),
      )
      assert.deepStrictEqual(checked["missing"], { task: ["find a way"], tool: ["book_trip"] })
    }),
  )

  it.effect("rejects requirements of another shape, and names a plugin that reads them", () =>
    Effect.gen(function* () {
      const failure = yield* Effect.flip(adapted([], { requirements: { metrics: ["revenue"] } }))
      assert.strictEqual(failure.class, "invalid_request")
      assert.include(failure.message, "@planloom/analyst")
    }),
  )
})

describe("the domain of a stage", () => {
  const other: Domain = { ...tables, id: "travel" }

  it.effect("must be named if the plugins contribute several", () =>
    Effect.gen(function* () {
      const failure = yield* Effect.flip(adapted([tables, other]))
      assert.strictEqual(failure.message, "name the domain in `with.domain`: tables, travel")
      const { uncovered } = yield* adapted([tables, other], { domain: "travel" })
      assert.deepStrictEqual(uncovered, [])
      const unknown = yield* Effect.flip(adapted([tables], { domain: "tabels" }))
      assert.strictEqual(unknown.message, "there is no domain tabels; the plugins bring tables")
    }),
  )

  it.effect("checks its requirements against its own schema", () =>
    Effect.gen(function* () {
      const failure = yield* Effect.flip(
        adapted([tables], { requirements: { metrics: "revenue" } }),
      )
      assert.match(failure.message, /^requirements\./)
    }),
  )
})

describe("a step with declared dependencies", () => {
  it.effect("waits for them, and does not run if one of them failed", () =>
    Effect.gen(function* () {
      const step = (id: string, needs?: ReadonlyArray<string>) => ({
        id,
        tool: "now",
        inputs: {},
        params: {},
        satisfies: [],
        ...(needs === undefined ? {} : { needs }),
      })
      const plan = { steps: [step("last", ["first"]), step("first")] }
      const recorded = makeContext({ tools })
      yield* runKind(execute, "run", { plan, source: null }, recorded)
      assert.deepStrictEqual(
        recorded.calls.map(({ key }) => key),
        ["first", "last"],
      )
      const broken = {
        steps: [{ ...step("first"), tool: "gone" }, step("last", ["first"]), step("other")],
      }
      const ran = yield* runKind(
        execute,
        "run",
        { plan: broken, source: null, on_step_error: "keep" },
        makeContext({ tools }),
      )
      assert.deepStrictEqual(ran["order"], ["other"])
      assert.deepInclude((ran["failed"] as ReadonlyArray<JsonObject>)[1], {
        step: "last",
        message: "not run, because first failed",
      })
    }),
  )
})
