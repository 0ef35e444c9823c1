/** References of steps: paths are parsed by a closed grammar, and read own members of data only. */
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { cases } from "../../../../../.config/cases.ts"
import { parallelLevels } from "./planGraph.ts"
import { lintPlan } from "./lintPlan.ts"
import { mostCalls, type Plan, type Step } from "./Plan.ts"
import { repairStep } from "../repair/repairStep.ts"
import { nameClash, stepCalls } from "./stepCalls.ts"
import {
  formProblem,
  parsePath,
  pathText,
  replaceReferences,
  valueOfPath,
} from "./StepReference.ts"
import type { Json, JsonObject, Tool } from "@planloom/plugin/effect"

const name = fc.oneof(
  fc.string(),
  fc.constantFrom("items", "a-b", "__proto__", "constructor", "größe"),
)
const path = fc.array(fc.oneof(name, fc.nat(9)), { maxLength: 6 })

describe("a path", () => {
  it("is read as the parts that it was written with", () => {
    fc.assert(
      fc.property(path, (parts) => {
        const text = pathText(parts)
        fc.pre(text.length <= 500 && !/\p{Cc}/u.test(text) && !text.includes("\\u"))
        expect(parsePath(text)).toEqual(parts)
      }),
      { numRuns: cases(300) },
    )
  })

  it("is read or refused, whatever the text is", () => {
    const piece = fc.constantFrom(
      ".",
      "[",
      "]",
      '"',
      "\\",
      "a",
      "items",
      "0",
      "1e9",
      "*",
      "$",
      " ",
      "()",
      "-",
    )
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(piece).map((all) => all.join("")),
        ),
        (text) => {
          const parts = parsePath(text)
          if (parts !== undefined) expect(parsePath(pathText(parts))).toEqual(parts)
        },
      ),
      { numRuns: cases(500) },
    )
    for (const text of [
      ".a",
      "a.",
      "a..b",
      "a[",
      "a[-1]",
      "a[*]",
      "a b",
      "$.a",
      "a()",
      "a[0]b",
      "a[1e3]",
      "a['b']",
    ]) {
      expect(parsePath(text), text).toBeUndefined()
    }
  })

  it("finds own members alone", () => {
    fc.assert(
      fc.property(fc.jsonValue(), path, (value, parts) => {
        const found = valueOfPath(value as Json, parts)
        let own: unknown = value
        for (const part of parts) {
          const isThere =
            typeof own === "object" &&
            own !== null &&
            Object.hasOwn(own, part) &&
            Array.isArray(own) === (typeof part === "number")
          if (!isThere) {
            expect(found).toHaveProperty("missing")
            return
          }
          own = (own as { readonly [part: string | number]: unknown })[part]
        }
        expect(found).toEqual({ value: own })
      }),
      { numRuns: cases(300) },
    )
    for (const part of ["__proto__", "constructor", "length", "toString"]) {
      expect(valueOfPath({}, [part])).toHaveProperty("missing")
      expect(valueOfPath([1], [part])).toHaveProperty("missing")
    }
  })
})

describe("a reference", () => {
  it("is not read in what another one gives", () => {
    const hostile = { $from: "secret", path: "key" }
    expect(replaceReferences({ a: { $from: "x" } }, () => hostile)).toEqual({ a: hostile })
  })

  it("of another form is a problem, never a value", () => {
    const bad: ReadonlyArray<JsonObject> = [
      { $from: 1 },
      { $from: "" },
      { $from: "a", path: 1 },
      { $from: "a", path: "b", default: 1 },
      { $from: "a", path: "b[" },
    ]
    for (const reference of bad) {
      expect(formProblem(reference), JSON.stringify(reference)).toBeTypeOf("string")
      const step = { id: "s", tool: "t", inputs: {}, params: { of: reference }, satisfies: [] }
      expect(stepCalls(step, new Map([["a", { b: 1 }]]))[0]).toHaveProperty("problem")
    }
  })
})

const token = {
  type: "object",
  additionalProperties: false,
  required: ["address"],
  properties: { address: { type: "string" }, decimals: { type: "integer" } },
} as const

const tool = (id: string, more: Partial<Tool>): Tool => ({
  name: id,
  summary: id,
  capabilities: [],
  inputs: {},
  outputs: [],
  effect: "read",
  params: {
    type: "object",
    additionalProperties: false,
    required: ["address"],
    properties: { address: { type: "string" }, chain: { type: "integer" } },
  },
  ...more,
})

const tools = [
  tool("activity", {
    params: {
      type: "object",
      additionalProperties: false,
      properties: { router: { type: "string" } },
    },
    result: {
      type: "object",
      additionalProperties: false,
      properties: { items: { type: "array", items: { $ref: "#/$defs/token" } } },
      $defs: { token },
    },
  }),
  tool("pairs", {}),
  tool("safety", {}),
]

const step = (id: string, name_: string, more: Partial<Step> = {}): Step => ({
  id,
  tool: name_,
  inputs: {},
  params: {},
  satisfies: [],
  ...more,
})

const activity = step("activity", "activity")
const each = { over: { $from: "activity", path: "items" }, as: "token", limit: 3 }
const pairs = step("pairs", "pairs", {
  params: { address: { $from: "token", path: "address" } },
  each,
})
const safety = step("safety", "safety", {
  params: { address: { $from: "activity", path: "items[0].address" } },
})
const lint = (...steps: ReadonlyArray<Step>) =>
  lintPlan({ steps }, tools).map(({ code, message, path: at }) => `${code} ${at}: ${message}`)

describe("a plan with references", () => {
  it("is ordered by them, and passes its lint", () => {
    const plan: Plan = { steps: [safety, pairs, activity] }
    const ordered = parallelLevels(plan)
    expect(ordered.levels.map((level) => level.map(({ id }) => id))).toEqual([
      ["activity"],
      ["safety", "pairs"],
    ])
    expect(lint(safety, pairs, activity)).toEqual([])
    expect(mostCalls(plan)).toBe(5)
  })

  it.each<[string, Partial<Step>, string]>([
    [
      "a step that is not there",
      { params: { address: { $from: "activty" } } },
      "bad_reference params.address: there is no step activty",
    ],
    [
      "a path of another form",
      { params: { address: { $from: "activity", path: "items[" } } },
      "bad_reference params.address: the path items[ is not of the form items[0].name",
    ],
    [
      "a field that the result does not have",
      { params: { address: { $from: "activity", path: "items[0].adress" } } },
      "bad_reference params.address: the result of activity, at items[0].adress: has no adress; it has address, decimals",
    ],
    [
      "an item of a text",
      { params: { address: { $from: "activity", path: "items[0].address[0]" } } },
      "bad_reference params.address: the result of activity, at items[0].address[0]: string has no 0",
    ],
    [
      "a value of another type",
      { params: { address: { $from: "activity", path: "items[0].decimals" } } },
      "mistyped_param params.address: params.address must be string, and activity gives integer",
    ],
    [
      "an `each` over no list",
      { each: { ...each, over: { $from: "activity", path: "items[0].address" } } },
      "mistyped_param each.over: each.over must be array, and activity gives string",
    ],
    [
      "an item of another type",
      { params: { address: "a", chain: { $from: "token", path: "address" } }, each },
      "mistyped_param params.chain: params.chain must be integer, and token gives string",
    ],
    [
      "an item that is called as a step",
      { params: { address: "a" }, each: { ...each, as: "activity" } },
      "reserved_id each.as: activity names a step already, so no item can be called so",
    ],
  ])("is refused for %s", (_, more, issue) => {
    const found = lint(activity, { ...safety, ...more })
    expect(found).toEqual([issue])
  })

  it("is refused for a cycle, an undeclared need and too many calls", () => {
    const loop = step("activity", "pairs", { params: { address: { $from: "safety" } } })
    expect(lint(loop, safety).join()).toMatch(/cycle/)
    expect(lint(activity, { ...safety, needs: [] }).join()).toMatch(/undeclared_dependency/)
    expect(
      lintPlan({ steps: [activity, pairs], max_steps: 3 }, tools).map(({ code }) => code),
    ).toEqual(["too_many_steps"])
  })

  it("has misspelled steps of references repaired, and no param that is a reference", () => {
    const plan: Plan = {
      steps: [activity, { ...safety, params: { address: { $from: "activty" }, chain: "1" } }],
    }
    const { repairs, step: repaired } = repairStep(plan.steps[1]!, plan, tools)
    expect(repaired.params).toEqual({ address: { $from: "activity" }, chain: 1 })
    expect(repairs.map(({ rule }) => rule)).toEqual(["reference", "to_number"])
  })

  it("names each call of an item, and refuses a step of such a name", () => {
    const results = new Map<string, Json>([
      ["activity", { items: [1, 2, 3, 4].map((n) => ({ address: `0x${n}` })) }],
    ])
    expect(stepCalls(pairs, results)).toEqual([
      { key: "pairs[0]", params: { address: "0x1" } },
      { key: "pairs[1]", params: { address: "0x2" } },
      { key: "pairs[2]", params: { address: "0x3" } },
    ])
    expect(nameClash({ steps: [activity, pairs] })).toBeUndefined()
    expect(nameClash({ steps: [pairs, step("pairs[1]", "safety")] })).toBeTypeOf("string")
  })
})
