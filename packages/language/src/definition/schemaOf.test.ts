/** The schemas that editors complete from accept what `check` accepts. */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { Ajv } from "ajv"
import { describe, expect, it } from "vitest"
import { parse } from "yaml"
import { fakeKinds } from "../../test/fakeComponents.ts"
import { ownKinds } from "./decode.ts"
import { schemaOf } from "./schemaOf.ts"

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

it("the schema of every kind of file is valid", () => {
  for (const kind of ownKinds) expect(() => compile(schemaOf(kind))).not.toThrow()
})
