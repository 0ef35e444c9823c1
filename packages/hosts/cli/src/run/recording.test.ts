import { describe, expect, it } from "vitest"
import { readDefinition } from "./recording.ts"

const definition = { file: "w.yaml", texts: { "w.yaml": "" }, flags: { set: [], files: ["/etc"] } }

describe("a recorded definition", () => {
  it("has the files that a person named, unless the run was imported", () => {
    expect(readDefinition(definition)).toEqual({
      file: "w.yaml",
      texts: { "w.yaml": "" },
      flags: { set: [], env: undefined, flag: [], files: ["/etc"] },
    })
    expect(readDefinition({ ...definition, imported: true })).toEqual({
      file: "w.yaml",
      texts: { "w.yaml": "" },
      flags: { set: [], env: undefined, flag: [] },
      imported: true,
    })
  })

  it.each([undefined, null, "w", 1, [], {}, { file: 1 }])("is unknown for %j", (given) => {
    expect(readDefinition(given as never)).toBeUndefined()
  })
})
