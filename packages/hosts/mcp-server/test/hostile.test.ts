/** Hostile clients: whatever they send, the server answers, holds on to nothing and stays usable. */
import { PassThrough } from "node:stream"
import * as fc from "fast-check"
import { afterAll, beforeAll, expect, it } from "vitest"
import { cases } from "../../../../.config/cases.ts"
import { httpEndpoint, serveStdio } from "../src/index.ts"
import { removeFolders, serving, type World } from "./world.ts"

const bodies = {
  greet: `inputs: { who: { type: string } }
stages: [{ id: say, uses: set, with: { value: "Hello \${{ inputs.who }}" } }]
outputs: { text: { type: string, value: "\${{ stages.say.output }}" } }
`,
  sign: `stages: [{ id: ask, uses: approve, with: { message: Pay 3 USD? } }]
outputs: { approved: { value: "\${{ stages.ask.output.approved }}" } }
`,
}

let world: World
const defects: Array<unknown> = []

beforeAll(async () => {
  world = await serving(bodies, { onDefect: (error) => defects.push(error) })
})
afterAll(async () => {
  await world.close()
  removeFolders()
})

const meta = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {
    elicitation: {},
    extensions: { "io.modelcontextprotocol/tasks": {} },
  },
}

const methods =
  "tools/call tools/list resources/read resources/list resources/templates/list tasks/get tasks/update tasks/cancel tasks/list server/discover ping initialize prompts/get logging/setLevel notifications/cancelled __proto__ /".split(
    " ",
  )

const json = fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<any>

/** Members that some method reads, each as it should be or as anything. */
const params = fc.record(
  {
    name: fc.oneof(fc.constantFrom("greet", "sign", "answer-question", "constructor"), json),
    arguments: fc.oneof(
      fc.record({ who: fc.oneof(fc.string(), json) }),
      fc.record({ run: json, question: json, value: json }),
      json,
    ),
    uri: fc.oneof(
      fc.constantFrom("planloom://runs/x", "planloom://runs/%/report", "file:///"),
      json,
    ),
    taskId: fc.oneof(fc.constantFrom("x", "../runs", "%00"), json),
    requestState: fc.oneof(fc.constantFrom("1.x", "999999.x", "."), json),
    inputResponses: fc.oneof(fc.dictionary(fc.string(), json), json),
    _meta: fc.oneof(fc.constant(meta), fc.constant({ progressToken: 1, ...meta }), json),
  },
  { requiredKeys: [] },
)

const message = fc.oneof(
  fc.record({
    jsonrpc: fc.constantFrom("2.0", "2.0", "2.0", "1.0"),
    id: fc.oneof(fc.integer(), fc.string(), json),
    method: fc.oneof(fc.constantFrom(...methods), fc.string()),
    params: fc.oneof(params, json),
  }),
  fc.record({ jsonrpc: fc.constant("2.0"), method: fc.constantFrom(...methods), params }),
  fc.record({ jsonrpc: fc.constant("2.0"), id: json, result: json }),
  json,
)

it("no message over HTTP is answered with an internal error, or with none", async () => {
  const endpoint = httpEndpoint({ version: "1", onDefect: (error) => defects.push(error) })
  const header = fc.oneof(fc.constantFrom("2026-07-28", "2025-11-25", "tools/call", "greet", "x"))
  await fc.assert(
    fc.asyncProperty(
      message,
      fc.dictionary(
        fc.constantFrom("mcp-protocol-version", "mcp-method", "mcp-name", "mcp-session-id"),
        header,
      ),
      async (sent, headers) => {
        const response = await endpoint(
          new Request("http://localhost/mcp", {
            method: "POST",
            headers: {
              "content-type": "application/json",
              accept: "application/json, text/event-stream",
              ...headers,
            },
            body: JSON.stringify(sent),
          }),
          { id: "", api: world.api },
        )
        expect(response.status).toBeLessThan(500)
        const text = await response.text()
        for (const [, data] of text.matchAll(/^data: (.*)$/gm)) {
          expect(JSON.parse(data!)).toMatchObject({ jsonrpc: "2.0" })
        }
        expect(text).not.toContain("server's log")
      },
    ),
    { numRuns: cases(150) },
  )
  expect(defects).toEqual([])
})

it("no line over standard input ends the connection, or keeps the next one from its answer", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.oneof(
          message.map((sent) => JSON.stringify(sent)),
          fc.string(),
        ),
        {
          minLength: 1,
          maxLength: 5,
        },
      ),
      async (lines) => {
        const [input, output] = [new PassThrough(), new PassThrough()]
        let read = ""
        const asked = Promise.withResolvers<void>()
        output.on("data", (data: Buffer) => {
          read += data.toString()
          if (read.includes('"last question"')) asked.resolve()
        })
        const { close, settled } = serveStdio(world.api, {
          version: "1",
          input,
          output,
          onDefect: (error) => defects.push(error),
        })
        for (const line of lines) input.write(`${line.replaceAll("\n", " ")}\n`)
        const last = {
          jsonrpc: "2.0",
          id: "last question",
          method: "ping",
          params: { _meta: meta },
        }
        input.write(`${JSON.stringify(last)}\n`)
        await asked.promise
        await settled()
        await close()
        for (const line of read.trim().split("\n")) {
          expect(JSON.parse(line)).toMatchObject({ jsonrpc: "2.0" })
        }
      },
    ),
    { numRuns: cases(60) },
  )
  expect(defects).toEqual([])
})
