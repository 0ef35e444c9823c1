/** Servers that misbehave, each in one way, and the good server beside them that a run can rely on. */
import { readFileSync } from "node:fs"
import { beforeAll, describe, expect, it, vi } from "vitest"
import { call, listOf, newState, server, sourceOf } from "./callServer.ts"

const good = server("good").declared

// Its process is shared by all sources as long as one of them has it.
beforeAll(() => call(sourceOf({ good }), "good.echo", { text: "ready" }))

/** The tools of a server in a mode, without its prefix, and why its list is incomplete. */
const listedOf = async (mode: string, more = {}) => {
  const source = sourceOf({ good, bad: { ...server(mode).declared, ...more } })
  const { open = [], partial, tools } = await listOf(source)
  expect((await call(source, "good.add", { a: 1, b: 2 })).value).toEqual({ sum: 3 })
  return {
    source,
    open,
    partial,
    names: tools.flatMap(({ name }) => (name.startsWith("bad.") ? [name.slice(4)] : [])),
    tools,
  }
}

describe("the list of a server", () => {
  it("loses a tool with a bad schema alone, and names it", async () => {
    const { names, partial } = await listedOf("bad_schema")
    expect(names).toEqual(["add", "list_schema"])
    expect(partial).toBe(
      'the server "bad": without "broken" (its input schema is not one of an object)',
    )
  })

  it("loses tools whose names cannot be used", async () => {
    const { names, partial } = await listedOf("bad_names")
    expect(names).toEqual(["add"])
    expect(partial).toContain('"../etc/passwd" (its name has other characters')
    expect(partial).toContain("and 1 more")
    expect(partial).not.toContain("\u202E")
  })

  it("keeps the first of two tools with one name", async () => {
    const { partial, tools } = await listedOf("dup_names")
    expect(tools.find(({ name }) => name === "bad.add")?.summary).toBe("Adds two numbers.")
    expect(partial).toContain('"add" (another tool has the same name)')
  })

  it("keeps long names apart, independent of their order", async () => {
    const { names } = await listedOf("long_names")
    expect(new Set(names).size).toBe(3)
    expect(names.every(({ length }) => length <= 64)).toBe(true)
    expect(names.slice(1)).toEqual([
      expect.stringMatching(/_[0-9a-f]{8}$/),
      expect.stringMatching(/_[0-9a-f]{8}$/),
    ])
  })

  it("has clean and bounded descriptions", async () => {
    const { tools } = await listedOf("long_description")
    const echo = tools.find(({ name }) => name === "bad.echo")!
    expect(echo.summary).toBe("Repeats.")
    expect(echo.when_to_use).toMatch(/^reversed hidden x+…$/)
    expect(JSON.stringify(echo).length).toBeLessThan(6200)
    for (const hidden of ["\u001B", "\u202E", "\u200B", "\u{E0041}"]) {
      expect(echo.when_to_use).not.toContain(hidden)
    }
  })

  it("loses a tool whose schema is nested without end, and one that runs only as a task", async () => {
    expect((await listedOf("deep_schema")).partial).toContain("nested too deeply")
    expect((await listedOf("bottomless_schema")).partial).toContain("nested too deeply")
    expect((await listedOf("task_only")).partial).toContain("runs only as a task")
  })

  it("ends at a cursor that comes again, and keeps what arrived", async () => {
    const { names, open, partial } = await listedOf("endless_same")
    expect(names).toEqual(["page_1", "page_2"])
    expect(partial).toContain("repeats itself after page 2")
    expect(open).toEqual(["bad.*"])
  })

  it("ends after many pages, and keeps what arrived", async () => {
    const { names, partial } = await listedOf("endless_new")
    expect(names).toHaveLength(100)
    expect(partial).toContain("has no end after page 100")
  })

  it("continues after an empty cursor", async () => {
    const { names, partial } = await listedOf("empty_cursor")
    expect(names).toEqual(["add", "echo"])
    expect(partial).toBeUndefined()
  })

  it("has the server's reason if it gives no list", async () => {
    expect((await listedOf("cannot_list")).partial).toContain("the database is away")
    expect((await listedOf("no_list")).partial).toContain("page 1 of its list has no tools")
  })

  it("has the standard error of a server that ends at its start", async () => {
    const { open, partial } = await listedOf("crash_start")
    expect(partial).toBe(
      'the server "bad" is gone: it ended with exit code 1: Error: DATABASE_URL is not set',
    )
    expect(open).toEqual(["bad.*"])
  })

  it("has the reason of a program that does not exist", async () => {
    const { partial } = await listedOf("good", { command: "no-such-program-here", args: [] })
    expect(partial).toMatch(/no-such-program-here/)
  })

  it("has the limit of a server that does not answer", async () => {
    const { partial } = await listedOf("silent", { start_timeout: "300ms" })
    expect(partial).toBe('the server "bad" was not ready in 300 ms (start_timeout)')
  })

  it("is read from a server that ends at a question it does not know", async () => {
    expect((await listedOf("dies_at_probe")).names).toContain("add")
  })

  it.each([
    ["noise", "a line that is no message: Listening on stdio…"],
    ["bom", "a byte order mark before a message, which is left out"],
    ["string_id", undefined],
  ])(
    "is read from a server with %s, as are results, and the first call notes why",
    async (mode, said) => {
      const { names, partial, source } = await listedOf(mode)
      expect(names).toContain("add")
      expect(partial).toBeUndefined()
      const { notes, value } = await call(source, "bad.add", { a: 1, b: 2 })
      expect(value).toEqual({ sum: 3 })
      expect(notes[0]).toEqual(
        said === undefined ? undefined : ["mcp/noise", expect.objectContaining({ text: said })],
      )
    },
  )
})

describe("a call of a server", () => {
  const callOf = async (mode: string, tool: string, params: object = {}, more = {}) => {
    const source = sourceOf({ bad: { ...server(mode).declared, ...more }, good })
    await listOf(source)
    const called = await call(source, `bad.${tool}`, params as never)
    expect((await call(source, "good.add", { a: 1, b: 2 })).value).toEqual({ sum: 3 })
    return { ...called, source }
  }

  it("keeps the good parts of a result, and marks the others", async () => {
    const { value } = await callOf("good", "content", { text: "text,unknown,bad_base64,image" })
    expect(value).toMatchObject({
      text: "hello red",
      attachments: [
        { type: "unusable", problem: 'a part of unknown type "hologram"' },
        { type: "unusable", problem: "an image has no data in base64" },
        { type: "image", mime: "image/png", bytes: 3 },
      ],
    })
  })

  it("gives every type of content, binary data as files of the run", async () => {
    const { value } = await callOf("good", "content", { text: "image,audio,link,resource,blob" })
    const { attachments } = value as { attachments: ReadonlyArray<{ file?: string }> }
    expect(
      attachments.map(({ file, ...rest }) => [rest, file && readFileSync(file, "utf8")]),
    ).toEqual([
      [{ type: "image", mime: "image/png", bytes: 3 }, "png"],
      [{ type: "audio", mime: "audio/wav", bytes: 3 }, "wav"],
      [{ type: "link", uri: "file:///x", name: "x" }, undefined],
      [{ type: "resource", uri: "file:///y", text: "inside" }, undefined],
      [{ type: "resource", uri: "file:///z", mime: "application/pdf", bytes: 3 }, "PDF"],
    ])
  })

  it("fails with the words of the server, also if its data does not fit", async () => {
    expect((await callOf("good", "fail")).failure).toMatchObject({
      class: "tool_error",
      message: '"bad.fail" reports: quota exceeded',
    })
    expect((await callOf("error_structured", "add", { a: 1, b: 2 })).failure).toMatchObject({
      class: "tool_error",
      message: '"bad.add" reports: quota exceeded',
      detail: { structured: { code: 7 } },
    })
  })

  it("fails if its result does not fit the output schema, with the words of the server", async () => {
    const { failure } = await callOf("wrong_output", "add", { a: 1, b: 2 })
    expect(failure).toMatchObject({
      class: "tool_error",
      message: expect.stringMatching(/sum.*five apples/),
    })
    expect((await callOf("no_output", "add", { a: 1, b: 2 })).failure?.message).toContain(
      "gave no structured content; it said: nothing structured",
    )
  })

  it("fails if its data is nested without end", async () => {
    expect((await callOf("deep_output", "add", { a: 1, b: 2 })).failure).toMatchObject({
      class: "invalid_output",
      message: "the server sent data that is nested more than 500 levels deep",
    })
  })

  it("keeps a long text as a file", async () => {
    const { value } = await callOf("good", "size", { text: "9500000" })
    const { attachments, text } = value as {
      text: string
      attachments: ReadonlyArray<{ file: string; bytes: number }>
    }
    expect(text).toHaveLength(200_000)
    expect(attachments).toMatchObject([{ type: "text", bytes: 9_500_000 }])
  })

  it("fails with the reason if a message is too large, and the server is started again", async () => {
    const { failure, source } = await callOf(
      "good",
      "size",
      { text: "20000" },
      { max_message_bytes: 10_000 },
    )
    expect(failure).toMatchObject({
      class: "too_large",
      message:
        'the server "bad" is gone: it sent a message larger than 10000 bytes (max_message_bytes)',
    })
    expect((await call(source, "bad.echo", { text: "here" })).value).toMatchObject({ text: "here" })
  })

  it("fails with the standard error of a server that ends, and the server is started again", async () => {
    const { failure, source } = await callOf("good", "die")
    expect(failure).toMatchObject({
      class: "unavailable",
      message: 'the server "bad" is gone: it ended with exit code 3: disk is full | bye',
    })
    expect((await call(source, "bad.add", { a: 2, b: 2 })).value).toEqual({ sum: 4 })
  })

  it("waits longer after each end of the server, and says how long", async () => {
    const { source } = await callOf(
      "good",
      "die",
      {},
      { restart: { delay: "10m", max_delay: "20m" } },
    )
    expect((await call(source, "bad.die")).failure?.class).toBe("unavailable")
    const { failure } = await call(source, "bad.add", { a: 2, b: 2 })
    expect(failure).toMatchObject({
      class: "unavailable",
      message: expect.stringMatching(/started again in \d+ s/),
    })
    expect(failure!.retryAfter).toBeGreaterThan(500_000)
  })

  it("gives the server none of the environment but what is declared", async () => {
    vi.stubEnv("MCP_TEST_CANARY", "leaked")
    const { value } = await callOf("good", "env", {}, { env: { MODE: "fast" } })
    const { text } = value as { text: string }
    vi.unstubAllEnvs()
    expect(text).not.toContain("leaked")
    expect(JSON.parse(text)).toMatchObject({ MODE: "fast", PATH: process.env["PATH"] })
  })

  it("hides the secrets of the server in its results and failures", async () => {
    const token = "s3cret-token-value"
    const source = sourceOf(
      { bad: { ...server("good").declared, env: { TOKEN: { secret: "TOKEN" } } } },
      { secrets: { TOKEN: token } },
    )
    const { value } = await call(source, "bad.env")
    expect(JSON.stringify(value)).toContain("[secret]")
    expect(JSON.stringify(value)).not.toContain(token)
  })

  it("fails if a secret has no value", async () => {
    const source = sourceOf({
      bad: { ...server("good").declared, env: { TOKEN: { secret: "TOKEN" } } },
    })
    expect((await call(source, "bad.env")).failure).toMatchObject({ class: "auth" })
    expect((await listOf(source)).partial).toContain("the secret TOKEN")
  })
})

describe("what a server asks during a call", () => {
  const asking = (
    tool: string,
    options: Parameters<typeof call>[3] = {},
    more = {},
    text = "form",
  ) =>
    call(
      sourceOf({ bad: { ...server("good").declared, ...more } }),
      `bad.${tool}`,
      { text },
      options,
    )

  const said = ({ value }: Awaited<ReturnType<typeof call>>) =>
    JSON.parse((value as { text: string }).text) as unknown

  it("goes to the person who is there, by a form", async () => {
    const called = await asking("ask", { answer: () => ({ name: "Ada" }) })
    expect(said(called)).toEqual({ action: "accept", content: { name: "Ada" } })
    expect(called.asked[0]).toMatchObject({ message: "bad: Your name?", kind: "signal" })
  })

  it("goes to the person who is there, by an address", async () => {
    const called = await asking("ask", { answer: () => ({ approved: true }) }, {}, "url")
    expect(said(called)).toEqual({ action: "accept" })
    expect(called.asked[0]).toMatchObject({
      kind: "approval",
      show: { url: "https://example.com/login", host: "example.com" },
    })
  })

  it("is declined without an answer", async () => {
    expect(said(await asking("ask"))).toEqual({ action: "decline" })
  })

  it("does not ask a model unless that is allowed", async () => {
    expect(JSON.stringify(said(await asking("sample")))).toMatch(/-32601|not support/)
  })

  it("are the roots of the run", async () => {
    const called = await asking("roots", { roots: ["/data/here"] })
    expect(said(called)).toEqual({ roots: [{ uri: "file:///data/here" }] })
  })
})

describe("a server that changes", () => {
  it("has the new list after it has announced it, for later processes, too", async () => {
    const state = newState()
    const source = sourceOf({ bad: server("rug_pull").declared }, { state })
    const before = (await listOf(source)).tools.find(({ name }) => name === "bad.echo")!
    expect(before.summary).toBe("Repeats a text.")
    await call(source, "bad.change")
    await expect
      .poll(
        async () => (await listOf(source)).tools.find(({ name }) => name === "bad.echo")?.available,
      )
      .toContain("its description changed")
  })

  it("is not read without end if it announces changes without end", async () => {
    const flood = server("flood")
    const source = sourceOf({ bad: flood.declared })
    await listOf(source)
    const reads = () => flood.seen().filter((line) => line === "tools/list").length
    await expect.poll(reads, { timeout: 5000 }).toBeGreaterThanOrEqual(3)
    // Each half second at most, beside the first.
    const began = performance.now()
    const before = reads()
    await expect.poll(reads, { timeout: 5000 }).toBeGreaterThanOrEqual(before + 2)
    expect(performance.now() - began).toBeGreaterThan(400)
    expect((await call(source, "bad.add", { a: 1, b: 1 })).value).toEqual({ sum: 2 })
  })
})
