/** The schemas that editors complete from accept what `check` accepts. */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { Ajv } from "ajv"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { parse } from "yaml"
import { cases } from "../../../../../.config/cases.ts"
import { fakeKinds } from "../../test/fakeComponents.ts"
import { ownKinds } from "./decode.ts"
import { schemaOf } from "./schemaOf.ts"
import { switchKind } from "./shape/switch.ts"

const folder = join(import.meta.dirname, "..", "..", "test", "golden")
const read = (path: string): unknown => parse(readFileSync(join(folder, path), "utf8"))
const compile = (schema: unknown) =>
  new Ajv({ strict: false, logger: false }).compile(schema as object)

describe("the schema of a workflow", () => {
  const validate = compile(schemaOf("Workflow", fakeKinds))

  it.each(readdirSync(join(folder, "ok")).filter((name) => name.endsWith(".yaml")))(
    "accepts %s",
    (name) => {
      validate(read(join("ok", name)))
      expect(validate.errors ?? []).toEqual([])
    },
  )

  it.each([
    "PL0101_unknown_key",
    "PL0102_missing_key",
    "PL0103_wrong_type",
    "PL0104_unknown_value",
    "PL0105_bad_duration",
    "PL0106_out_of_range",
    "PL0107_bad_name",
    "PL0111_wrong_kind",
    "PL2009_unbounded_loop",
    "PL4003_unknown_stage_kind",
    "PL4005_unknown_with_key",
    "PL4006_missing_with_key",
    "PL4007_wrong_with_value",
  ])("refuses %s", (name) => {
    expect(validate(read(join("err", `${name}.yaml`)))).toBe(false)
  })

  it("describes every key", () => {
    const undescribed: Array<string> = []
    const visit = (schema: unknown, path: string): void => {
      if (typeof schema !== "object" || schema === null) return
      const { properties } = schema as { readonly properties?: { readonly [key: string]: object } }
      for (const [key, property] of Object.entries(properties ?? {})) {
        if (!("description" in property) && !path.includes("/then"))
          undescribed.push(`${path}/${key}`)
      }
      for (const [key, part] of Object.entries(schema)) visit(part, `${path}/${key}`)
    }
    visit(schemaOf("Workflow"), "")
    expect(undescribed.filter((path) => !path.includes("outputs"))).toEqual([])
  })
})

type Stage = { readonly [key: string]: unknown }

/** Places of a stage inside another one. */
const places: ReadonlyArray<(stage: Stage, id: string) => Stage> = [
  (stage, id) => ({ id, stages: [stage] }),
  (stage, id) => ({ id, for_each: "inputs.list", stages: [stage] }),
  (stage, id) => ({ id, repeat: { until: "false", max_iterations: 2 }, stages: [stage] }),
  ({ id: _, ...stage }, id) => ({
    id,
    uses: "switch",
    with: { on: "inputs.word", cases: { a: stage } },
  }),
  ({ id: _, ...stage }, id) => ({
    id,
    uses: "switch",
    with: { on: "inputs.word", cases: { a: extract }, else: stage },
  }),
]
const asFallback = ({ id: _, ...stage }: Stage): Stage => ({
  id: "last",
  ...extract,
  fallback: stage,
})
const extract = { uses: "extract", with: { text: "a" } }

const good: ReadonlyArray<Stage> = [
  { id: "inner", ...extract },
  { id: "inner", uses: "extract", with: { text: "${{ inputs.word }}" } },
]
const bad: ReadonlyArray<Stage> = [
  { id: "inner", uses: "extrct", with: { text: "a" } },
  { id: "inner", uses: "extract" },
  { id: "inner", uses: "extract", with: {} },
  { id: "inner", uses: "extract", with: { text: 1 } },
  { id: "inner", uses: "extract", with: { text: "a", txt: "b" } },
  { id: "inner", ...extract, tineout: "3s" },
  { id: "inner", timeout: "3s" },
]

describe("the schema of a workflow, at any depth", () => {
  const kinds = [switchKind, ...fakeKinds]
  const validate = compile(schemaOf("Workflow", kinds))
  const accepts = (stage: Stage, key: string) =>
    validate({
      apiVersion: "planloom/v1",
      kind: "Workflow",
      name: "w",
      stages: [{ id: "a", ...extract }],
      [key]: [stage],
    })
  const nested = fc.record({
    layers: fc.array(fc.constantFrom(...places), { maxLength: 4 }),
    isFallback: fc.boolean(),
    key: fc.constantFrom("stages", "finally"),
  })
  const around = (
    stage: Stage,
    { isFallback, layers }: { readonly layers: typeof places; readonly isFallback: boolean },
  ): Stage =>
    layers.reduce(
      (inner, place, index) => place(inner, `s${index}`),
      isFallback ? asFallback(stage) : stage,
    )

  it("knows kinds and their keys in blocks, cases of switches, and fallbacks", () => {
    fc.assert(
      fc.property(fc.constantFrom(...good), fc.constantFrom(...bad), nested, (one, other, at) => {
        expect(accepts(around(one, at), at.key), JSON.stringify(validate.errors)).toBe(true)
        expect(accepts(around(other, at), at.key)).toBe(false)
      }),
      { numRuns: cases(200) },
    )
  })

  it("takes expressions in any part of a value", () => {
    const expression = "${{ inputs.word }}"
    const deep = (list: unknown) => ({
      id: "c",
      uses: "cover",
      with: { plan: { steps: list }, requirements: expression },
    })
    expect(accepts(deep(expression), "stages"), JSON.stringify(validate.errors)).toBe(true)
    expect(accepts(deep([{ id: "a", tool: expression }, expression]), "stages")).toBe(true)
    expect(accepts(deep([{ id: "a", tool: 1 }]), "stages")).toBe(false)
  })

  it("needs the keys of a switch, and has none as a fallback", () => {
    const on = { on: "inputs.word", cases: { a: extract } }
    expect(accepts({ id: "s", uses: "switch", with: on }, "stages")).toBe(true)
    for (const given of [{ on: "inputs.word" }, { cases: on.cases }, { ...on, esle: extract }]) {
      expect(accepts({ id: "s", uses: "switch", with: given }, "stages")).toBe(false)
    }
    const fallback = { uses: "switch", with: on }
    expect(accepts({ id: "s", ...extract, fallback }, "stages")).toBe(false)
  })
})

it("the schema of every kind of file is valid", () => {
  for (const kind of ownKinds) expect(() => compile(schemaOf(kind))).not.toThrow()
})
