/** A model on 127.0.0.1 with OpenAI's protocol that reads rightly: the truth of a question becomes its reading and plan. */
import { createServer, type IncomingMessage } from "node:http"
import type { AddressInfo } from "node:net"
import type { Json, JsonObject } from "@planloom/plugin/effect"
import { planFor } from "./planFor.ts"

export interface ScriptedModel {
  readonly url: string
  /** The reading of the questions to come; undefined for one that cannot be answered. */
  readonly read: (reading: JsonObject | undefined) => void
  readonly close: () => void
}

interface Message {
  readonly role: string
  readonly content: string
}

/** What a model that reads rightly says of a question that the data cannot answer. */
const nothing: JsonObject = {
  metrics: [],
  group_by: [],
  time: { column: "", grain: "unknown" },
  analysis: [],
  outputs: [],
  constraints: [],
  unknown: ["what the question asks for"],
  confidence: 0,
}

const bodyOf = async (incoming: IncomingMessage): Promise<{ messages: ReadonlyArray<Message> }> => {
  const chunks: Array<Buffer> = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  return JSON.parse(Buffer.concat(chunks).toString("utf8"))
}

/** Text in a column of numbers is read as missing, as the profile of the data shows. */
const asProfiled = (reading: JsonObject, text: string): JsonObject => {
  const constraints = (reading["constraints"] as ReadonlyArray<JsonObject>).map((one) => {
    const { column, kind, value } = one
    const isNumber = ["number", "integer"].some((type) =>
      text.includes(`${JSON.stringify(column)} (${type}`),
    )
    const isText = typeof value === "string" && Number.isNaN(Number(value))
    return isNumber && isText ? { kind: kind!, column: column!, op: "is_null" } : one
  })
  return { ...reading, constraints }
}

/** The reply to a request, by the words of its stage. */
const replyTo = (messages: ReadonlyArray<Message>, truth: JsonObject): Json => {
  const text = messages.map(({ content }) => content).join("\n")
  const reading = asProfiled(truth, text)
  if (text.includes("Change the plan")) return planFor(reading, text)
  if (text.includes("into requirements, as JSON")) return reading
  // The answer repeats the facts that it was given.
  return /Facts:\n([^]*?)(\n\n|$)/.exec(text)?.[1] ?? "Here is the table."
}

export const scriptedModel = async (): Promise<ScriptedModel> => {
  let reading = nothing
  const server = createServer((incoming, response) => {
    void bodyOf(incoming).then(({ messages }) => {
      const reply = replyTo(messages, reading)
      const content = typeof reply === "string" ? reply : JSON.stringify(reply)
      const choice = { index: 0, finish_reason: "stop", message: { role: "assistant", content } }
      const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 }
      response.setHeader("content-type", "application/json")
      response.end(
        JSON.stringify({ id: "scripted", object: "chat.completion", choices: [choice], usage }),
      )
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    read: (given) => {
      reading = given ?? nothing
    },
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
