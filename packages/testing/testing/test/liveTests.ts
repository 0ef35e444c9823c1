/** What is asked of a real service, and what it must give: also asked of the wire server, so that it is known to run. */
import { Effect, Stream } from "effect"
import { assert, it } from "vitest"
import type { Embedder, ModelRequest, Provider } from "@planloom/plugin/effect"

const schema = {
  type: "object",
  properties: { city: { type: "string" }, inhabitants: { type: "integer" } },
  required: ["city", "inhabitants"],
  additionalProperties: false,
}

/** Lets a service answer once, with a provider of its own. */
export type Asked = <A>(use: (provider: Provider) => Effect.Effect<A, unknown>) => Promise<A>

export const liveTests = (model: string, asked: Asked): void => {
  const request = (more: Partial<ModelRequest>): ModelRequest => ({
    model,
    system: [{ text: "You answer briefly.", cache: true }],
    messages: [{ role: "user", content: "Which city is the capital of France? One word." }],
    maxTokens: 300,
    temperature: 0,
    ...more,
  })

  it("answers, and tells its tokens", async () => {
    const reply = await asked(({ generate }) => generate!(request({})))
    assert.match(reply.text, /Paris/)
    assert.strictEqual(reply.finish, "stop")
    assert.isAbove(reply.usage.input, 0)
    assert.isAbove(reply.usage.output, 0)
  })

  it("streams the same", async () => {
    const parts = await asked(({ stream }) => Stream.runCollect(stream!(request({}))))
    assert.match(parts.map((part) => (part.type === "text" ? part.text : "")).join(""), /Paris/)
    assert.deepInclude(parts.at(-1), { type: "finish", reason: "stop" })
  })

  it("gives JSON of a schema", async () => {
    const { text } = await asked(({ generate }) =>
      generate!(
        request({
          output: { name: "capital", schema },
          messages: [
            { role: "user", content: "The capital of France and its inhabitants, as JSON." },
          ],
        }),
      ),
    )
    assert.strictEqual((JSON.parse(text) as { readonly city: string }).city, "Paris")
  })

  it("calls a tool, and goes on with its result", async () => {
    const tools = [
      {
        name: "weather",
        description: "Tells the weather of a city.",
        parameters: {
          type: "object",
          properties: { city: { type: "string" } },
          required: ["city"],
        },
      },
    ]
    const question = {
      role: "user",
      content: "What is the weather in Oslo? Use the tool.",
    } as const
    const first = await asked(({ generate }) => generate!(request({ tools, messages: [question] })))
    const [call] = first.toolCalls
    assert.strictEqual(call?.name, "weather")
    const answer = { role: "tool", toolCallId: call!.id, name: "weather" } as const
    const second = await asked(({ generate }) =>
      generate!(
        request({
          tools,
          messages: [
            question,
            { role: "assistant", content: first.text, toolCalls: first.toolCalls },
            { ...answer, content: { degrees: 31 } },
          ],
        }),
      ),
    )
    assert.match(second.text, /31/)
  })
}

export const liveVectors = (embedder: () => Promise<Embedder>): void => {
  it("gives a vector for each text, the same for the same", async () => {
    const { dimensions, embed } = await embedder()
    const { vectors } = await Effect.runPromise(embed(["a red apple", "tax law", "a red apple"]))
    assert.deepStrictEqual(
      vectors.map(({ length }) => length),
      [dimensions, dimensions, dimensions],
    )
    const [first, other, again] = vectors as [Float32Array, Float32Array, Float32Array]
    const alike = (a: Float32Array, b: Float32Array) =>
      a.reduce((sum, value, index) => sum + value * b[index]!, 0) /
      Math.hypot(...a) /
      Math.hypot(...b)
    assert.isAbove(alike(first, again), 0.99)
    assert.isBelow(alike(first, other), 0.98)
  })
}
