import { describe, expect, it } from "vitest"
import { commandIn } from "./commandIn.ts"

describe("a chat message that starts with a slash", () => {
  it("is a command, by its name or an alias", () => {
    expect(commandIn("/quit")).toEqual({ does: "quit" })
    expect(commandIn("/exit")).toEqual({ does: "quit" })
    expect(commandIn("/new please")).toEqual({ does: "new" })
    expect(commandIn("/history")).toEqual({ does: "turns" })
    expect(commandIn("/help")).toMatchObject({ does: "say" })
  })

  it("suggests a similar command if it is unknown", () => {
    const said = commandIn("/trns")
    expect(said).toMatchObject({ does: "say" })
    expect(said?.does === "say" ? said.text : "").toContain("did you mean /turns?")
  })

  it("is a plain message with two slashes, or without one", () => {
    expect(commandIn("//etc/hosts")).toBeUndefined()
    expect(commandIn("what is 1/2?")).toBeUndefined()
  })
})
