/** A plugin's config, read by its own schema. */
import * as Schema from "effect/Schema"
import { describe, expect, it } from "vitest"
import { definePlugin } from "./Plugin.ts"

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

  it("has no reader if the plugin takes no config", () => {
    expect(definePlugin({ id: "plain", summary: "takes no config" }).readConfig).toBeUndefined()
  })
})
