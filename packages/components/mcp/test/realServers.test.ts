/** Servers of others: their lists, and a call of each. */
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { call, listOf, sourceOf, testFolder } from "./callServer.ts"
import { realServer } from "./realServer.ts"

const namesOf = async (source: ReturnType<typeof sourceOf>) => {
  const { partial, tools } = await listOf(source)
  return { partial, names: tools.map(({ name }) => name) }
}

describe("the server everything", () => {
  it("has its tools, and runs them: texts, data, images, links, progress and questions", async () => {
    const source = sourceOf({ e: realServer("everything") })
    const { names, partial } = await namesOf(source)
    expect(names.length).toBeGreaterThanOrEqual(12)
    expect(partial).toBe(
      'the server "e": without "simulate-research-query" (it runs only as a task, which is not supported)',
    )
    expect((await call(source, "e.get-sum", { a: 2, b: 3 })).value).toMatchObject({
      text: expect.stringContaining("5"),
    })
    expect(
      (await call(source, "e.get-structured-content", { location: "Chicago" })).value,
    ).toMatchObject({ temperature: expect.any(Number) })
    expect((await call(source, "e.get-tiny-image")).value).toMatchObject({
      attachments: [{ type: "image", mime: "image/png", bytes: expect.any(Number) }],
    })
    expect((await call(source, "e.get-resource-links", { count: 2 })).value).toMatchObject({
      attachments: [{ type: "link" }, { type: "link" }],
    })
    const long = await call(source, "e.trigger-long-running-operation", { duration: 0.3, steps: 3 })
    expect(long.progress.length).toBeGreaterThanOrEqual(2)
    const asked = await call(
      source,
      "e.trigger-elicitation-request",
      {},
      { answer: () => ({ name: "Ada" }) },
    )
    expect(asked.asked).toHaveLength(1)
    expect(JSON.stringify(asked.value)).toContain("Ada")
  })
})

describe("the server filesystem", () => {
  it("reads inside the roots of the run, and nothing outside", async () => {
    const inside = join(testFolder(), "inside")
    mkdirSync(inside)
    writeFileSync(join(inside, "a.txt"), "hello")
    writeFileSync(join(testFolder(), "secret.txt"), "hidden")
    const source = sourceOf({ f: realServer("filesystem", { trust: "reads", args: [inside] }) })
    const { tools } = await listOf(source)
    const effects = Object.fromEntries(tools.map(({ effect, name }) => [name, effect]))
    expect(effects).toMatchObject({ "f.read_text_file": "read", "f.write_file": "write" })
    const read = (path: string) => call(source, "f.read_text_file", { path }, { roots: [inside] })
    expect((await read(join(inside, "a.txt"))).value).toEqual({ content: "hello" })
    const { failure } = await read(join(testFolder(), "secret.txt"))
    expect(failure).toMatchObject({ class: "tool_error", message: expect.stringMatching(/denied/) })
    expect(JSON.stringify(failure)).not.toContain("hidden")
  })
})

describe("the server memory", () => {
  it("keeps what it is given", async () => {
    const file = join(testFolder(), "memory.jsonl")
    const source = sourceOf({ m: realServer("memory", { env: { MEMORY_FILE_PATH: file } }) })
    // Its nine tools, and its resources.
    expect((await namesOf(source)).names).toHaveLength(11)
    await call(source, "m.create_entities", {
      entities: [{ name: "Ada", entityType: "person", observations: ["counts"] }],
    })
    expect((await call(source, "m.search_nodes", { query: "counts" })).value).toMatchObject({
      entities: [{ name: "Ada" }],
    })
  })
})

describe("the server sequential-thinking", () => {
  it("counts thoughts", async () => {
    const source = sourceOf({ t: realServer("sequential-thinking") })
    expect((await namesOf(source)).names).toEqual(["t.sequentialthinking"])
    const { value } = await call(source, "t.sequentialthinking", {
      thought: "Start.",
      nextThoughtNeeded: false,
      thoughtNumber: 1,
      totalThoughts: 1,
    })
    expect(value).toMatchObject({ thoughtHistoryLength: 1 })
  })
})
