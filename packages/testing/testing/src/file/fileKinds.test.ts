/** The schemas that editors complete tests and evaluations from. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { Ajv } from "ajv"
import { describe, expect, it } from "vitest"
import { parse } from "yaml"
import { evaluationKind } from "./evaluationKind.ts"
import { fileKinds } from "./fileKinds.ts"
import { knownKinds } from "./knownKinds.ts"

const compile = (schema: unknown) => new Ajv({ strict: false }).compile(schema as object)

describe("the schema of an evaluation", () => {
  const validate = compile(evaluationKind.schema)
  const file = join(import.meta.dirname, "../../../../../workflows/device_assistant.eval.yaml")
  const written = parse(readFileSync(file, "utf8")) as object

  it("accepts the one that is shipped, and what may stand in its place", () => {
    const short = { gate: "pass_rate == 1.0", score: { one: 1, sure: true }, repeat: 3 }
    for (const one of [written, { ...written, ...short }]) {
      validate(one)
      expect(validate.errors ?? []).toEqual([])
    }
  })

  it.each([
    { thresholds: [] },
    { repeat: 0 },
    { variants: { a: { model: "x" } } },
    { score: { a: [] } },
    { cases: [{ inputs: [] }] },
  ])("refuses %j", (wrong) => {
    expect(validate({ ...written, ...wrong })).toBe(false)
  })
})

it.each(fileKinds)("the schema of $kind is valid", async ({ load }) => {
  const { schema } = await load()
  expect(() => compile(schema)).not.toThrow()
})

it("files of every registered kind may be named when a test or an evaluation is read", () => {
  expect(knownKinds).toEqual(expect.arrayContaining(fileKinds.map(({ kind }) => kind)))
})
