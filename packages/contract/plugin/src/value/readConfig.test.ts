/** A plugin's config, read by its own schema. */
import * as Schema from "effect/Schema"
import { describe, expect, it } from "vitest"
import { definePlugin } from "../Plugin.ts"

const plugin = definePlugin({
  id: "kit",
  summary: "for these tests",
  config: Schema.Struct({
    folder: Schema.String,
    limits: Schema.optionalKey(Schema.Struct({ rows: Schema.Int })),
  }),
})

describe("a plugin's config", () => {
  it("is decoded to the schema's value", async () => {
    const given = { folder: "data", limits: { rows: 3 } }
    expect(await plugin.readConfig!(given)).toEqual({ value: given })
  })

  it("that is invalid has every issue with its path", async () => {
    const read = await plugin.readConfig!({ folder: 1, limits: { rows: 1.5 }, foldr: "data" })
    const paths = "issues" in read ? read.issues.map(({ path }) => path.join(".")) : []
    expect(paths.toSorted()).toEqual(["folder", "foldr", "limits.rows"])
    expect("issues" in read && read.issues.every(({ message }) => message !== "")).toBe(true)
  })

  it("whose schema is imported late loads it for a config that is given", async () => {
    let loads = 0
    const late = definePlugin<{ readonly folder?: string }>({
      id: "late",
      summary: "for these tests",
      config: {
        schema: async () => {
          loads++
          return Schema.Struct({ folder: Schema.optionalKey(Schema.String) })
        },
        unset: {},
      },
    })
    expect(await late.readConfig!({})).toEqual({ value: {} })
    expect(loads).toBe(0)
    expect(await late.readConfig!({ folder: "data" })).toEqual({ value: { folder: "data" } })
    expect(await late.readConfig!({ folder: 1 })).toHaveProperty("issues.0.path", ["folder"])
    expect(await late.readConfig!({ foldr: "data" })).toHaveProperty("issues.0.path", ["foldr"])
  })

  it("whose late schema rejects an empty config reports that", async () => {
    const late = definePlugin<{ readonly folder: string }>({
      id: "late",
      summary: "for these tests",
      config: { schema: async () => Schema.Struct({ folder: Schema.String }) },
    })
    expect(await late.readConfig!({})).toHaveProperty("issues.0.path", ["folder"])
  })

  it("has no reader if the plugin takes no config", () => {
    expect(definePlugin({ id: "plain", summary: "takes no config" }).readConfig).toBeUndefined()
  })
})
