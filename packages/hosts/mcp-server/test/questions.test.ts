/** Questions of runs, put to the person at the client, or left to be answered elsewhere. */
import type { Client } from "@modelcontextprotocol/client"
import * as Effect from "effect/Effect"
import { afterAll, afterEach, describe, expect, it, vi } from "vitest"
import { connect, eras, removeFolders, serving, type World } from "./world.ts"

const bodies = {
  sign: `stages:
  - { id: ask, uses: approve, with: { message: Pay 3 USD? } }
outputs: { approved: { value: "\${{ stages.ask.output.approved }}" } }
`,
  pick: `stages:
  - id: region
    uses: wait
    with: { signal: region, message: Which region?, schema: { type: string, enum: [north, south] } }
outputs: { region: { type: string, value: "\${{ stages.region.output }}" } }
`,
  code: `stages:
  - id: code
    uses: wait
    with: { signal: code, message: Which code?, schema: { type: string, pattern: "^[A-Z]{3}$" } }
outputs: { code: { type: string, value: "\${{ stages.code.output }}" } }
`,
  steps: `stages:
  - { id: a, uses: wait, with: { signal: a, message: First?, schema: { type: integer } } }
  - { id: b, uses: wait, needs: [a], with: { signal: b, message: Second?, schema: { type: integer } } }
outputs: { b: { value: "\${{ stages.b.output }}" } }
`,
  table: `stages:
  - id: rows
    uses: wait
    with: { signal: rows, message: Which rows?, schema: { type: array, items: { type: object } } }
outputs: { rows: { value: "\${{ stages.rows.output }}" } }
`,
  two: `stages:
  - { id: a, uses: wait, needs: [], with: { signal: a, message: First?, schema: { type: integer } } }
  - { id: b, uses: wait, needs: [], with: { signal: b, message: Second?, schema: { type: integer } } }
outputs:
  a: { value: "\${{ stages.a.output }}" }
  b: { value: "\${{ stages.b.output }}" }
`,
}

const worlds: Array<World> = []
const clients: Array<Client> = []
const forms = { elicitation: { form: {} } }

afterEach(async () => {
  for (const client of clients.splice(0)) await client.close()
  for (const one of worlds.splice(0)) await one.close()
})
afterAll(removeFolders)

interface Asked {
  readonly message: string
  readonly requestedSchema: unknown
}

describe.each(eras)("a client of %s", (era) => {
  /** A client whose person gives these answers, the last one again and again. */
  const asked = async (...answers: ReadonlyArray<object>) => {
    const one = await serving(bodies)
    worlds.push(one)
    const seen: Array<Asked> = []
    const { client } = await connect(one.api, era, answers.length === 0 ? {} : forms, (made) => {
      if (answers.length === 0) return
      made.setRequestHandler("elicitation/create", ({ params }) => {
        seen.push(params as Asked)
        return (answers[seen.length - 1] ?? answers.at(-1)) as never
      })
    })
    clients.push(client)
    const call = async (name: string, given: { readonly [name: string]: unknown } = {}) =>
      (await client.callTool({ name, arguments: given })) as any
    return { ...one, call, client, seen }
  }

  const accepted = (content: object) => ({ action: "accept", content })

  it("with forms is asked, and the run continues with the answer", async () => {
    const { call, seen } = await asked(accepted({ approved: true }))
    expect(await call("sign")).toMatchObject({
      structuredContent: { status: "succeeded", outputs: { approved: true } },
    })
    expect(seen).toMatchObject([
      {
        message: "Pay 3 USD?",
        requestedSchema: {
          type: "object",
          properties: { approved: { type: "boolean" }, comment: { type: "string" } },
          required: ["approved"],
        },
      },
    ])
  })

  it("is asked again, with the reason, when an answer does not fit", async () => {
    const { call, seen } = await asked(accepted({ answer: "abc" }), accepted({ answer: "ABC" }))
    expect(await call("code")).toMatchObject({ structuredContent: { outputs: { code: "ABC" } } })
    expect(seen.map(({ message }) => message)).toEqual([
      "Which code?",
      expect.stringMatching(/^.*pattern.*\nWhich code\?$/),
    ])
  })

  it("is asked all open questions of a run", async () => {
    const { call, seen } = await asked(accepted({ answer: 7 }))
    expect(await call("two")).toMatchObject({ structuredContent: { outputs: { a: 7, b: 7 } } })
    expect(seen.map(({ message }) => message).toSorted()).toEqual(["First?", "Second?"])
  })

  it.each(["decline", "cancel"])(
    "whose person answers with %s gets a run that waits",
    async (action) => {
      const { call, store } = await asked({ action })
      const { isError, structuredContent } = await call("sign")
      expect(isError).toBeUndefined()
      expect(structuredContent).toMatchObject({
        status: "waiting",
        questions: [{ question: "ask", kind: "approval", message: "Pay 3 USD?" }],
      })
      const { status } = (await Effect.runPromise(store.show(structuredContent.run)))!
      expect(status).toBe("suspended")
    },
  )

  it("without forms gets a run that waits, and answers it with a tool", async () => {
    const { call } = await asked()
    const waits = await call("pick")
    const { run } = waits.structuredContent
    expect(waits.structuredContent).toMatchObject({
      status: "waiting",
      questions: [{ question: "region/question:region", schema: { enum: ["north", "south"] } }],
    })
    expect(waits.content[0].text).toContain("call the tool answer-question")
    const answer = { run, question: "region/question:region" }
    expect(await call("answer-question", { ...answer, value: "east" })).toMatchObject({
      isError: true,
    })
    expect(await call("answer-question", { ...answer, value: "north" })).toMatchObject({
      content: [{ text: "north" }],
      structuredContent: { run, status: "succeeded", outputs: { region: "north" } },
    })
    expect(await call("answer-question", { ...answer, value: "south" })).toMatchObject({
      isError: true,
    })
  })

  it("who answers with the tool is asked the next question", async () => {
    const { call, seen } = await asked({ action: "cancel" }, accepted({ answer: 2 }))
    const { run } = (await call("steps")).structuredContent
    const given = { run, question: "a/question:a", value: 1 }
    expect(await call("answer-question", given)).toMatchObject({
      structuredContent: { run, outputs: { b: 2 } },
    })
    expect(seen.map(({ message }) => message)).toEqual(["First?", "Second?"])
  })

  it("cannot approve by the tool: a model would approve its own call", async () => {
    const { call, store } = await asked()
    const waits = await call("sign")
    const { run } = waits.structuredContent
    expect(waits.content[0].text).toMatch(/Only a person may approve it: planloom runs answer/)
    const refused = await call("answer-question", {
      run,
      question: "ask",
      value: { approved: true },
    })
    expect(refused).toMatchObject({ isError: true })
    expect((await Effect.runPromise(store.show(run)))!.status).toBe("suspended")
  })

  it.each([{}, { run: "other", question: "ask", value: 1 }, { run: 7, question: "ask", value: 1 }])(
    "gets an answer to nothing, %j, as an error of the tool",
    async (given) => {
      const { call } = await asked()
      expect(await call("answer-question", given)).toMatchObject({ isError: true })
    },
  )

  it("with forms gets a run that waits for an answer that fits into none", async () => {
    const { call, seen } = await asked(accepted({}))
    const waits = await call("table")
    expect(waits.content[0].text).toContain("does not fit into a form")
    expect(seen).toEqual([])
  })
})

describe("a client before 2026-07-28", () => {
  const connected = async (answer: () => unknown) => {
    const one = await serving(bodies)
    worlds.push(one)
    const { client } = await connect(one.api, "2025-11-25", forms, (made) =>
      made.setRequestHandler("elicitation/create", answer as never),
    )
    clients.push(client)
    return { ...one, client }
  }

  it("that fails to ask gets a run that waits", async () => {
    const { client, store } = await connected(() => {
      throw new Error("no window")
    })
    const waits = (await client.callTool({ name: "sign", arguments: {} })) as any
    expect(waits.structuredContent).toMatchObject({ status: "waiting" })
    expect(waits.content[0].text).toMatch(/the client gave no answer \(.*no window/)
    expect(await Effect.runPromise(store.list())).toMatchObject([{ status: "suspended" }])
  })

  it("that cancels a call while it is asked cancels the run", async () => {
    const asked = Promise.withResolvers<void>()
    const { client, store } = await connected(() => {
      asked.resolve()
      return new Promise(() => undefined)
    })
    const controller = new AbortController()
    const call = client.callTool({ name: "sign", arguments: {} }, { signal: controller.signal })
    await asked.promise
    controller.abort("enough")
    await expect(call).rejects.toThrow(/enough|abort/i)
    await vi.waitFor(async () =>
      expect(await Effect.runPromise(store.list())).toMatchObject([{ status: "cancelled" }]),
    )
  })

  it("whose answers never fit gets a run that waits after twenty forms", async () => {
    let shown = 0
    const { client } = await connected(() => {
      shown++
      return { action: "accept", content: { answer: "abc" } }
    })
    const waits = (await client.callTool({ name: "code", arguments: {} })) as any
    expect(waits.structuredContent).toMatchObject({ status: "waiting" })
    expect(shown).toBe(20)
  })
})

it.each([
  ["another workflow's run", (state: string) => state, "pick"],
  ["a run that does not exist", (state: string) => `${state}x`, "sign"],
  ["nothing", () => "nothing", "sign"],
])("a state of %s is refused", async (_, state, tool) => {
  const one = await serving(bodies)
  worlds.push(one)
  const { client } = await connect(one.api, "2026-07-28", forms)
  clients.push(client)
  const first = (await client.callTool({ name: "sign", arguments: {} }, {
    allowInputRequired: true,
  } as never)) as unknown as { readonly requestState: string }
  const again = client.callTool({
    name: tool,
    arguments: {},
    requestState: state(first.requestState),
    inputResponses: { ask: { action: "accept", content: { approved: true } } },
  } as never)
  await expect(again).rejects.toMatchObject({ code: -32602 })
  expect(await Effect.runPromise(one.store.list())).toMatchObject([{ status: "suspended" }])
})
