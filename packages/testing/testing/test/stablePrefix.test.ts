/** What services keep in their caches: requests that begin alike on the wire, with the real SDKs over real HTTP. */
import { Effect } from "effect"
import * as fc from "fast-check"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import type { Host, Message, ModelRequest, Provider, SystemBlock } from "@planloom/plugin/effect"
import anthropicPlugin from "@planloom/provider-anthropic"
import googlePlugin from "@planloom/provider-google"
import openaiPlugin from "@planloom/provider-openai"
import { wireServer } from "../src/double/wire/wireServer.ts"
import type { WireServer } from "../src/double/wire/wireServer.ts"
import { cases } from "../../../../.config/cases.ts"

const host: Host = { root: ".", secret: () => "not-a-real-key" }

let server: WireServer
beforeAll(async () => {
  server = await wireServer()
})
afterAll(() => server.close())

const setUp = async (plugin: typeof anthropicPlugin, config: unknown, id: string) => {
  const { providers = [] } = await Effect.runPromise(Effect.scoped(plugin.setup!(config, host)))
  return providers.find((provider) => provider.id === id)!
}

const openai = () =>
  setUp(openaiPlugin, { servers: { openai: { base_url: `${server.url}/v1` } } }, "openai")

/** A request as it went out, taken apart in the order the service reads it in. */
interface Sent {
  /** Before everything else: tools, and the shape of the reply. */
  readonly head: string
  readonly system: ReadonlyArray<unknown>
  /** Each with its role. */
  readonly blocks: ReadonlyArray<string>
}

interface Wire {
  readonly provider: () => Promise<Provider>
  readonly model: string
  readonly sent: (body: any) => Sent
  /** The stable blocks as they are to be found on the wire. */
  readonly stable: (system: ReadonlyArray<SystemBlock>) => ReadonlyArray<unknown>
}

const text = (value: unknown) => JSON.stringify(value)
const textIn = (block: unknown) => (typeof block === "string" ? block : (block as SystemBlock).text)
const head = (body: any) =>
  text([
    body.tools,
    body.tool_choice,
    body.toolConfig,
    body.response_format,
    body.text,
    body.output_config,
    body.generationConfig?.responseJsonSchema,
  ])

const flat = (messages: ReadonlyArray<any>, key: string) =>
  messages.flatMap(({ role, [key]: content }) =>
    content.map((block: unknown) => text([role, block])),
  )

const openaiSent = (body: any): Sent => {
  const [first, ...messages] = body.messages ?? body.input
  assert.strictEqual(first.role, "system")
  return {
    head: head(body),
    system: typeof first.content === "string" ? [...first.content] : first.content,
    blocks: messages.map(text),
  }
}

const wires: { readonly [name: string]: Wire } = {
  anthropic: {
    provider: () => setUp(anthropicPlugin, { base_url: server.url }, "anthropic"),
    model: "claude-sonnet-5",
    sent: (body) => ({
      head: head(body),
      system: body.system,
      blocks: flat(body.messages, "content"),
    }),
    stable: (system) => system.map((block) => block.text),
  },
  google: {
    provider: () => setUp(googlePlugin, { base_url: server.url }, "google"),
    model: "gemini-3.8-flash",
    sent: (body) => ({
      head: head(body),
      system: body.systemInstruction.parts,
      blocks: flat(body.contents, "parts"),
    }),
    stable: (system) => system.map((block) => block.text),
  },
  "openai, as one text": {
    provider: openai,
    model: "gpt-4.1",
    sent: openaiSent,
    stable: (system) => [...system.map((block) => block.text).join("\n\n")],
  },
  "openai, with marks": {
    provider: openai,
    model: "gpt-6.1-sol",
    sent: openaiSent,
    stable: (system) => system.map((block) => block.text),
  },
}

const words = fc.string({ minLength: 1, maxLength: 40, unit: "grapheme" }).map((some) => `.${some}`)
const marked = fc.array(fc.record({ text: words, cache: fc.constant(true) }), {
  minLength: 1,
  maxLength: 6,
})
const fresh = fc.array(fc.record({ text: words }), { maxLength: 2 })
const args = fc.dictionary(words, fc.oneof(words, fc.integer(), fc.boolean()), { maxKeys: 4 })
const turn: fc.Arbitrary<ReadonlyArray<Message>> = fc.oneof(
  fc.tuple(words, words).map(([content, answer]): ReadonlyArray<Message> => [
    { role: "user", content },
    { role: "assistant", content: answer },
  ]),
  fc.tuple(words, args, words).map(([content, given, result]): ReadonlyArray<Message> => [
    { role: "user", content },
    {
      role: "assistant",
      content: "",
      toolCalls: [
        { id: "a", name: "top", arguments: given },
        { id: "b", name: "top", arguments: {} },
      ],
    },
    { role: "tool", toolCallId: "a", name: "top", content: result },
    { role: "tool", toolCallId: "b", name: "top", content: { [result]: 1 } },
    { role: "assistant", content: result },
  ]),
)
const turns = fc.array(turn, { maxLength: 3 }).map((list) => list.flat())
const question = words.map((content): Message => ({ role: "user", content }))
const schema = args.map((properties) => ({
  type: "object",
  properties: Object.fromEntries(Object.keys(properties).map((name) => [name, { type: "string" }])),
}))
const beside = fc.oneof(
  fc.constant({}),
  schema.map((parameters) => ({ tools: [{ name: "top", description: "Best.", parameters }] })),
  schema.map((shape) => ({ output: { name: "plan", schema: shape } })),
)

describe.each(Object.keys(wires))("%s", (name) => {
  const { model, provider, sent, stable } = wires[name]!
  let asking: Provider
  beforeAll(async () => {
    asking = await provider()
  })

  const asked = async (request: Omit<ModelRequest, "model">): Promise<Sent> => {
    await Effect.runPromise(asking.generate!({ model, ...request }))
    return sent(server.requests.at(-1)!.body)
  }

  it("begins alike where the system text does, whatever else is said and asked", async () => {
    const varied = fc.tuple(fresh, turns, question, fc.integer({ min: 1, max: 900 }))
    await fc.assert(
      fc.asyncProperty(marked, beside, varied, varied, async (system, more, ...variants) => {
        const all: Array<Sent> = []
        for (const [after, before, last, maxTokens] of variants) {
          const messages = [...before, last]
          all.push(await asked({ system: [...system, ...after], messages, maxTokens, ...more }))
        }
        const [one, two] = all as [Sent, Sent]
        const kept = stable(system)
        const begin = ({ system: blocks }: Sent) => blocks.slice(0, kept.length)
        assert.deepStrictEqual(begin(one).map(textIn), kept)
        assert.strictEqual(text(begin(one)), text(begin(two)))
        assert.strictEqual(one.head, two.head)
      }),
      { numRuns: cases(25) },
    )
  })

  it("begins with the whole of the request before it where a conversation goes on", async () => {
    await fc.assert(
      fc.asyncProperty(marked, beside, turns, question, turn, async (system, more, ...said) => {
        const [before, last, [, ...next]] = said
        const answered: ReadonlyArray<Message> = [{ role: "assistant", content: "Done." }]
        const one = await asked({ system, messages: [...before, last], ...more })
        const two = await asked({
          system,
          messages: [...before, last, ...(next.length > 0 ? next : answered), last],
          ...more,
        })
        assert.strictEqual(one.head, two.head)
        assert.strictEqual(text(one.system), text(two.system))
        assert.deepStrictEqual(two.blocks.slice(0, one.blocks.length), one.blocks)
        assert.isAbove(two.blocks.length, one.blocks.length)
      }),
      { numRuns: cases(25) },
    )
  })
})
