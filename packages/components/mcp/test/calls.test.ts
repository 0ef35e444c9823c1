/** Calls of tools of a server that is started. */
import { describe, expect, it } from "vitest"
import { call, listOf, server, sourceOf } from "./callServer.ts"

describe("a tool of a server", () => {
  it("gives its structured content", async () => {
    const source = sourceOf({ math: server("good").declared })
    const { tools } = await listOf(source)
    expect(tools.map(({ name }) => name)).toContain("math.add")
    expect(tools.find(({ name }) => name === "math.add")).toMatchObject({
      title: "Add numbers",
      summary: "Adds two numbers.",
      when_to_use: "Use it for sums.",
      effect: "write",
      timeout: "1m",
      group: "math",
    })
    expect((await call(source, "math.add", { a: 2, b: 3 })).value).toEqual({ sum: 5 })
  })
})
