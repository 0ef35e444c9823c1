/** Long runs as tasks of the extension `io.modelcontextprotocol/tasks`. */
import * as Effect from "effect/Effect"
import { afterAll, afterEach, describe, expect, it, vi } from "vitest"
import { httpEndpoint } from "../src/index.ts"
import { removeFolders, serving, type World } from "./world.ts"

const bodies = {
  quick: `stages: [{ id: say, uses: set, with: { value: done } }]
outputs: { text: { type: string, value: "\${{ stages.say.output }}" } }
`,
  gated: `stages: [{ id: held, uses: gate }]
outputs: { text: { type: string, value: "\${{ stages.held.output }}" } }
`,
  failing: `stages:
  - { id: held, uses: gate }
  - { id: desk, uses: break, needs: [held] }
outputs: { text: { value: "\${{ stages.desk.output }}" } }
`,
  confirm: `stages:
  - { id: held, uses: gate }
  - { id: ask, uses: approve, needs: [held], with: { message: Delete it? } }
outputs: { approved: { value: "\${{ stages.ask.output.approved }}" } }
`,
  code: `stages:
  - { id: held, uses: gate }
  - id: code
    uses: wait
    needs: [held]
    with: { signal: code, message: Which code?, schema: { type: string, pattern: "^[A-Z]{3}$" } }
outputs: { code: { type: string, value: "\${{ stages.code.output }}" } }
`,
  two: `stages:
  - { id: held, uses: gate }
  - { id: a, uses: wait, needs: [held], with: { signal: a, message: First?, schema: { type: integer } } }
  - { id: b, uses: wait, needs: [held], with: { signal: b, message: Second?, schema: { type: integer } } }
outputs:
  a: { value: "\${{ stages.a.output }}" }
  b: { value: "\${{ stages.b.output }}" }
`,
  asks_first: `stages:
  - { id: ask, uses: approve, with: { message: Start? } }
  - { id: held, uses: gate, needs: [ask] }
outputs: { approved: { value: "\${{ stages.ask.output.approved }}" } }
`,
}

const worlds: Array<World> = []

afterEach(async () => {
  for (const one of worlds.splice(0)) await one.close()
})
afterAll(removeFolders)

const tasks = { extensions: { "io.modelcontextprotocol/tasks": {} } }
const withForms = { ...tasks, elicitation: { form: {} } }

type Reply = { readonly result: any; readonly error: any }

const started = async () => {
  const one = await serving(bodies)
  worlds.push(one)
  const endpoint = httpEndpoint({ version: "1.2.3" })
  const rpc = async (method: string, params: object, clientCapabilities: object = tasks) => {
    const name = "name" in params ? params.name : "taskId" in params ? params.taskId : undefined
    const response = await endpoint(
      new Request("http://localhost/mcp", {
        method: "POST",
        headers: {
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
          "mcp-protocol-version": "2026-07-28",
          "mcp-method": method,
          ...(typeof name === "string" ? { "mcp-name": name } : {}),
        },
        body: JSON.stringify({
          jsonrpc: "2.0",
          id: 1,
          method,
          params: {
            ...params,
            _meta: {
              "io.modelcontextprotocol/protocolVersion": "2026-07-28",
              "io.modelcontextprotocol/clientCapabilities": clientCapabilities,
            },
          },
        }),
      }),
      { id: "", api: one.api },
    )
    const text = await response.text()
    return JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text) as Reply
  }
  const call = (name: string, clientCapabilities?: object) =>
    rpc("tools/call", { name, arguments: {} }, clientCapabilities)
  const created = async (name: string, clientCapabilities?: object) => {
    const { result } = await call(name, clientCapabilities)
    expect(result).toMatchObject({
      resultType: "task",
      status: "working",
      createdAt: expect.stringMatching(/^\d{4}-/),
      lastUpdatedAt: expect.stringMatching(/^\d{4}-/),
      ttlMs: null,
      pollIntervalMs: 1000,
    })
    return result.taskId as string
  }
  /** Looks at the task until it has this status. */
  const task = (taskId: string, status: string, clientCapabilities?: object) =>
    vi.waitFor(async () => {
      const { result } = await rpc("tasks/get", { taskId }, clientCapabilities)
      expect(result).toMatchObject({ resultType: "complete", taskId, status })
      return result
    })
  return { ...one, rpc, call, created, task }
}

describe("a client with tasks", () => {
  it("gets the result of a quick run, and a task for one that lasts", async () => {
    const { call, created, gate, task } = await started()
    expect((await call("quick")).result).toMatchObject({
      resultType: "complete",
      content: [{ text: "done" }],
    })
    const taskId = await created("gated")
    expect(await task(taskId, "working")).toMatchObject({ statusMessage: "at held" })
    gate.open()
    expect(await task(taskId, "completed")).toMatchObject({
      result: {
        content: [{ type: "text", text: "passed" }],
        structuredContent: { run: taskId, status: "succeeded" },
      },
    })
  })

  it("gets a run that failed as a completed task whose result is an error", async () => {
    const { created, gate, task } = await started()
    const taskId = await created("failing")
    gate.open()
    expect(await task(taskId, "completed")).toMatchObject({ result: { isError: true } })
  })

  it("cancels a task, and again without effect", async () => {
    const { created, rpc, task, store } = await started()
    const taskId = await created("gated")
    for (const _ of [1, 2]) {
      const { result } = await rpc("tasks/cancel", { taskId })
      expect(result).toMatchObject({ resultType: "complete" })
      await task(taskId, "cancelled")
    }
    expect((await Effect.runPromise(store.show(taskId)))!.status).toBe("cancelled")
  })

  it("is asked by the task, whose run continues with the answer", async () => {
    const { created, gate, rpc, task } = await started()
    const taskId = await created("confirm", withForms)
    gate.open()
    const asked = await task(taskId, "input_required", withForms)
    expect(asked.inputRequests).toMatchObject({
      ask: { method: "elicitation/create", params: { message: "Delete it?" } },
    })
    const inputResponses = {
      ask: { action: "accept", content: { approved: true } },
      other: { action: "accept", content: {} },
    }
    const { result } = await rpc("tasks/update", { taskId, inputResponses }, withForms)
    expect(result).toMatchObject({ resultType: "complete" })
    expect(await task(taskId, "completed", withForms)).toMatchObject({
      result: { structuredContent: { outputs: { approved: true } } },
    })
  })

  it("answers one question after the other", async () => {
    const { created, gate, rpc, task } = await started()
    const taskId = await created("two", withForms)
    gate.open()
    const both = await task(taskId, "input_required", withForms)
    const [first, second] = Object.keys(both.inputRequests)
    const answer = (name: string) =>
      rpc(
        "tasks/update",
        { taskId, inputResponses: { [name]: { action: "accept", content: { answer: 7 } } } },
        withForms,
      )
    await answer(first!)
    const left = await task(taskId, "input_required", withForms)
    expect(Object.keys(left.inputRequests)).toEqual([second])
    await answer(second!)
    expect(await task(taskId, "completed", withForms)).toMatchObject({
      result: { structuredContent: { outputs: { a: 7, b: 7 } } },
    })
  })

  it("is asked again by another key, with the reason, when an answer does not fit", async () => {
    const { created, gate, rpc, task } = await started()
    const taskId = await created("code", withForms)
    gate.open()
    const answer = (name: string, code: string) =>
      rpc(
        "tasks/update",
        { taskId, inputResponses: { [name]: { action: "accept", content: { answer: code } } } },
        withForms,
      )
    await task(taskId, "input_required", withForms)
    await answer("code/question:code", "abc")
    const again = await task(taskId, "input_required", withForms)
    expect(again.inputRequests).toEqual({
      "code/question:code#2": expect.objectContaining({
        params: expect.objectContaining({
          message: expect.stringMatching(/pattern.*\nWhich code/),
        }),
      }),
    })
    await answer("code/question:code#2", "ABC")
    expect(await task(taskId, "completed", withForms)).toMatchObject({
      result: { content: [{ text: "ABC" }] },
    })
  })

  it.each([
    ["declines the form", withForms, true],
    ["shows no forms", tasks, false],
  ])("who %s gets the result of a run that waits", async (_, capabilities, declines) => {
    const { created, gate, rpc, store, task } = await started()
    const taskId = await created("confirm", capabilities)
    gate.open()
    if (declines) {
      await task(taskId, "input_required", capabilities)
      const inputResponses = { ask: { action: "decline" } }
      await rpc("tasks/update", { taskId, inputResponses }, capabilities)
    }
    expect(await task(taskId, "completed", capabilities)).toMatchObject({
      result: { structuredContent: { status: "waiting", questions: [{ question: "ask" }] } },
    })
    expect((await Effect.runPromise(store.show(taskId)))!.status).toBe("suspended")
  })

  it("is asked by the call what a run asks at once, and gets a task for the rest", async () => {
    const { gate, rpc, task } = await started()
    const given = { name: "asks_first", arguments: {} }
    const { result: asked } = await rpc("tools/call", given, withForms)
    expect(asked).toMatchObject({ resultType: "input_required" })
    expect(asked.taskId).toBeUndefined()
    const inputResponses = { ask: { action: "accept", content: { approved: true } } }
    const { requestState } = asked
    const again = await rpc("tools/call", { ...given, inputResponses, requestState }, withForms)
    expect(again.result).toMatchObject({ resultType: "task" })
    expect(again.result.requestState).toBeUndefined()
    gate.open()
    expect(await task(again.result.taskId, "completed", withForms)).toMatchObject({
      result: { structuredContent: { outputs: { approved: true } } },
    })
  })

  it.each(["tasks/get", "tasks/update", "tasks/cancel"])(
    "gets %s of no task as invalid params",
    async (method) => {
      const { rpc } = await started()
      for (const taskId of ["other", "../x"]) {
        const { error } = await rpc(method, { taskId, inputResponses: {} })
        expect(error).toMatchObject({ code: -32602 })
      }
      expect((await rpc(method, { inputResponses: {} })).error).toMatchObject({ code: -32602 })
    },
  )

  it.each(["tasks/list", "tasks/result"])("has no %s", async (method) => {
    const { rpc } = await started()
    expect((await rpc(method, { taskId: "x" })).error).toMatchObject({ code: -32601 })
  })
})

describe("a client without tasks", () => {
  it("gets the result of a run that lasts", async () => {
    const { call, gate } = await started()
    const lasting = call("gated", {})
    // A call of a client with tasks, sent later, ends before it.
    await gate.reached
    expect((await call("gated", tasks)).result).toMatchObject({ resultType: "task" })
    gate.open()
    expect((await lasting).result).toMatchObject({ resultType: "complete" })
  })

  it.each(["tasks/get", "tasks/update", "tasks/cancel"])("may not use %s", async (method) => {
    const { rpc } = await started()
    const { error } = await rpc(method, { taskId: "x", inputResponses: {} }, {})
    expect(error).toMatchObject({
      code: -32021,
      data: { requiredCapabilities: tasks },
    })
  })
})
