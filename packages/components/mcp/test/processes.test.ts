/** Processes of servers: shared by workflows, interrupted, ended together, and gone with the process that started them. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import { validatorOf } from "@planloom/schema/ajv"
import { onPath } from "../src/connection/startChild.ts"
import { call, listOf, newState, server, sourceOf } from "./callServer.ts"

const startsOf = ({ seen }: ReturnType<typeof server>) =>
  seen().filter((line) => line.startsWith("start")).length

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

const pidOf = ({ seen }: ReturnType<typeof server>) =>
  Number(/^start (\d+)/.exec(seen().find((line) => line.startsWith("start")) ?? "")?.[1])

describe("the process of a server", () => {
  it("is not started for a list that is known", async () => {
    const good = server("good")
    const state = newState()
    await listOf(sourceOf({ s: good.declared }, { state }))
    const { tools } = await Effect.runPromise(sourceOf({ s: good.declared }, { state }).known)
    expect(tools.length).toBeGreaterThan(5)
    await listOf(sourceOf({ s: good.declared }, { state }))
    expect(startsOf(good)).toBe(1)
  })

  it("is shared by workflows, and ends with the last of them", async () => {
    const good = server("good")
    const [one, other] = [sourceOf({ s: good.declared }), sourceOf({ t: good.declared })]
    expect((await call(one, "s.add", { a: 1, b: 1 })).value).toMatchObject({ sum: 2 })
    expect((await call(other, "t.add", { a: 2, b: 2 })).value).toMatchObject({ sum: 4 })
    await Effect.runPromise(one.close)
    expect((await call(other, "t.add", { a: 3, b: 3 })).value).toMatchObject({ sum: 6 })
    expect(startsOf(good)).toBe(1)
    await Effect.runPromise(other.close)
    expect(good.seen().at(-1)).toBe("end of input")
    expect(isRunning(pidOf(good))).toBe(false)
  })

  it("is not shared if its secrets differ", async () => {
    const good = server("good")
    const declared = { ...good.declared, env: { TOKEN: { secret: "TOKEN" } } }
    await Promise.all(
      ["one-token", "other-token"].map((TOKEN) =>
        call(sourceOf({ s: declared }, { secrets: { TOKEN } }), "s.echo", { text: "x" }),
      ),
    )
    expect(startsOf(good)).toBe(2)
  })

  it("is notified of a cancelled call, and continues with others", async () => {
    const good = server("good")
    const source = sourceOf({ s: good.declared })
    const controller = new AbortController()
    const slow = call(source, "s.slow", {}, { signal: controller.signal })
    await expect.poll(() => good.seen()).toContain("tools/call")
    controller.abort()
    await expect(slow).rejects.toThrow(/interrupt/i)
    await expect.poll(() => good.seen().join()).toContain("notifications/cancelled")
    expect((await call(source, "s.echo", { text: "here" })).value).toMatchObject({ text: "here" })
  })

  it("reports progress of a call", async () => {
    const { progress, value } = await call(sourceOf({ s: server("good").declared }), "s.progress")
    expect(value).toMatchObject({ text: "done" })
    expect(progress).toEqual([
      ["step 1", 1 / 3],
      ["step 2", 2 / 3],
      ["step 3", 1],
    ])
  })

  it("is ended if it ignores the end of its input and SIGTERM, beside the others", async () => {
    const stubborn = Array.from({ length: 4 }, () => server("ignore_sigterm"))
    const source = sourceOf(
      Object.fromEntries(stubborn.map(({ declared }, at) => [`s${at}`, declared])),
    )
    await listOf(source)
    const began = performance.now()
    await Effect.runPromise(source.close)
    expect(performance.now() - began).toBeLessThan(6000)
    expect(stubborn.map((one) => isRunning(pidOf(one)))).toEqual([false, false, false, false])
  })

  it.skipIf(process.platform !== "linux" || onPath("setpriv") === undefined)(
    "ends with this process, also after SIGKILL",
    async () => {
      const stubborn = server("ignore_sigterm")
      const { args, command } = stubborn.declared
      const starter = spawn(
        process.execPath,
        ["--no-warnings", join(import.meta.dirname, "starter.ts"), command, ...args],
        { stdio: ["ignore", "pipe", "inherit"] },
      )
      await once(starter.stdout, "data")
      expect(isRunning(pidOf(stubborn))).toBe(true)
      starter.kill("SIGKILL")
      await expect.poll(() => isRunning(pidOf(stubborn)), { timeout: 5000 }).toBe(false)
    },
  )
})

describe("calls of a server", () => {
  it("run only so many at a time", async () => {
    const good = server("good", { concurrency: 2 })
    const source = sourceOf({ s: good.declared })
    const controller = new AbortController()
    const calls = Array.from({ length: 5 }, () =>
      call(source, "s.slow", {}, { signal: controller.signal }),
    )
    const under = () => good.seen().filter((line) => line === "tools/call").length
    await expect.poll(under).toBe(2)
    expect(await Promise.race([...calls, Promise.resolve("waiting")])).toBe("waiting")
    controller.abort()
    await Promise.allSettled(calls)
    expect(under()).toBe(2)
  })

  it("are repeated if they are reads that a person vouches for, and others are not", async () => {
    const retrying = {
      retry: { max_retries: 2, delay: "1ms" },
      restart: { delay: "1ms", max_delay: "1ms" },
    }
    const trusted = server("dying_reads", { ...retrying, trust: "reads" })
    const source = sourceOf({ s: trusted.declared })
    await listOf(source)
    expect((await call(source, "s.add", { a: 1, b: 1 })).failure?.class).toBe("unavailable")
    const calls = (one: typeof trusted) => one.seen().filter((line) => line === "tools/call").length
    expect(calls(trusted)).toBe(3)
    const other = server("dying_reads", retrying)
    const untrusted = sourceOf({ s: other.declared })
    await listOf(untrusted)
    await call(untrusted, "s.add", { a: 1, b: 1 })
    expect(calls(other)).toBe(1)
  })

  it("are refused for tools that the workflow may not use", async () => {
    const source = sourceOf({
      s: server("good", { tools: { allow: ["a*", "echo"], deny: ["ask"] } }).declared,
    })
    const { tools } = await listOf(source)
    expect(tools.map(({ name }) => name)).toEqual(["s.add", "s.echo"])
    expect((await call(source, "s.ask")).failure).toMatchObject({ class: "invalid_request" })
    expect((await call(source, "s.env")).failure).toMatchObject({ class: "invalid_request" })
  })

  it("have JSON as their value where the server's `json` names the tool", async () => {
    const source = sourceOf({ s: server("good", { tools: { json: ["e*"] } }).declared })
    const { tools } = await listOf(source)
    expect(tools.find(({ name }) => name === "s.echo")?.result).toBeUndefined()
    expect((await call(source, "s.echo", { text: '{"a":[1]}' })).value).toEqual({ a: [1] })
    expect((await call(source, "s.echo", { text: "no" })).failure).toMatchObject({
      class: "tool_error",
    })
  })

  it("have attachments beside data that has a schema, or with it where the server's `whole` names the tool", async () => {
    const declared = server("pictured").declared
    const params = { a: 1, b: 2 }
    const image = { type: "image", mime: "image/png", bytes: 3 }
    const beside = await call(sourceOf({ s: declared }), "s.add", params)
    expect(beside).toMatchObject({
      value: { sum: 3 },
      notes: [["mcp/attachments", { tool: "s.add", attachments: [image] }]],
    })
    const source = sourceOf({ s: { ...declared, tools: { whole: ["a*"] } } })
    const { tools } = await listOf(source)
    const whole = await call(source, "s.add", params)
    expect(whole).toMatchObject({
      value: { text: "", attachments: [image], structured: { sum: 3 } },
      notes: [],
    })
    const { result } = tools.find(({ name }) => name === "s.add")!
    expect(validatorOf(result!)(whole.value!)).toEqual([])
    // Its data still has to fit the server's schema.
    const wrong = { ...server("wrong_output").declared, tools: { whole: ["add"] } }
    const lying = sourceOf({ s: wrong })
    await listOf(lying)
    expect((await call(lying, "s.add", params)).failure?.class).toBe("tool_error")
  })

  it("count as reads only if a person vouches for what the server says", async () => {
    const effects = async (more: object) => {
      const { tools } = await listOf(sourceOf({ s: server("good", more).declared }))
      return Object.fromEntries(tools.map(({ effect, name }) => [name, effect]))
    }
    expect(await effects({ trust: "reads" })).toMatchObject({ "s.add": "read", "s.echo": "write" })
    expect(await effects({})).toMatchObject({ "s.add": "write", "s.echo": "write" })
  })
})
