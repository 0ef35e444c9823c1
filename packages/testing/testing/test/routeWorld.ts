/** A conversation of agents with a scripted model, or without one, and tools that record their calls. */
import { mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { check, load } from "@planloom/embed"
import { run } from "@planloom/core"
import {
  definePlugin,
  type Json,
  type JsonObject,
  type ModelRequest,
  type RunEvent,
  type Tool,
  type Validator,
} from "@planloom/plugin/effect"
import retrieval from "@planloom/retrieval"
import shadow from "@planloom/shadow"
import stages from "@planloom/stages"
import { scriptedProvider } from "../src/double/scriptedProvider.ts"
import { stubTools } from "../src/double/stubTools.ts"

export interface Reply {
  readonly text?: string
  readonly calls?: ReadonlyArray<readonly [tool: string, params: JsonObject]>
}

const money = {
  type: "object",
  properties: { amount: { type: "number", exclusiveMinimum: 0 } },
  required: ["amount"],
  additionalProperties: false,
} as const

const none = { type: "object", properties: {}, additionalProperties: false } as const

/** `write` tools need an approval unless they are approved in advance. */
const tools: { readonly [name: string]: Partial<Tool> & { readonly result: Json } } = {
  get_rate: {
    effect: "read",
    params: none,
    summary: "Gives the exchange rate of the dollar.",
    keywords: ["rate", "exchange", "tipo", "cambio", "dólar"],
    examples: ["what is the exchange rate", "cuál es el tipo de cambio"],
    result: { text: "One dollar is 18.50 pesos." },
  },
  create_quote: {
    effect: "read",
    params: money,
    summary: "Makes a quote of a transfer.",
    title: { en: "Price of a transfer", es: "Precio de un envío" },
    labels: { amount: { en: "amount", es: "monto" } },
    keywords: ["quote", "cotización", "cotizar"],
    examples: ["quote for 200 dollars", "cotización de 200 dólares"],
    result: { text: "The fee is 3 dollars.", id: "Q-1" },
  },
  create_transfer: {
    effect: "write",
    params: money,
    title: { en: "Send money", es: "Enviar dinero" },
    labels: { amount: { en: "amount", es: "monto" } },
    summary: "Sends money.",
    keywords: ["send", "transfer", "enviar", "envía", "dólares", "dollars"],
    result: { text: "The money is on its way." },
  },
}

const agents = `
  welcome:
    title: { en: Welcome, es: Bienvenida }
    description: Greets and answers what no other agent is for.
    examples: [hello, hola, good morning]
    reply: { en: How can I help?, es: ¿En qué puedo ayudar? }
  rates:
    title: { en: Rates, es: Tipos de cambio }
    description: Exchange rates of the dollar.
    examples: [what is the exchange rate today, how many pesos is a dollar, cuál es el tipo de cambio, a cuánto está el dólar]
    prompt: Always name the time of a rate.
    tools: [get_rate]
  transfers:
    title: { en: Transfers, es: Envíos }
    description: Quotes and transfers of money to another country.
    examples: [send money to my mother, how much does a transfer cost, quiero enviar dinero a mi madre]
    tools: [get_rate, create_quote, create_transfer]
    flows:
      send:
        title: { en: Send money now, es: Enviar dinero ahora }
        description: Sends money step by step.
        examples: [i want to send money now, quiero mandar dinero ahora]
        start: amount
        states:
          amount:
            instructions: Ask for the amount and make a quote.
            reply: How much would you like to send?
            tools: [create_quote]
            next: [{ to: confirm, tool: create_quote }]
          confirm:
            instructions: Ask whether to send it.
            reply: Shall I send it?
            tools: [create_transfer]
            next:
              - { to: done, tool: create_transfer }
              - { to: amount, when: request.contains("another amount") }
              - { to: review }
          review: { instructions: Look at it again., tools: [], next: [{ to: confirm }] }
          done: { final: true }
  person:
    title: { en: A person, es: Una persona }
    description: Complaints, fraud and everything that needs a human being.
    examples: [i want to talk to a person, quiero hablar con una persona]
    human: true
`

export const routed = (
  replies: ReadonlyArray<Reply>,
  {
    current,
    form = "native",
    given = "",
    head = "",
    language = "",
    model = true,
    request = "Hello",
    prompts = {},
    results = {},
    failures = {},
    validators = [],
    start = "welcome",
  }: {
    readonly request?: string
    readonly current?: Json
    readonly given?: string
    readonly head?: string
    readonly language?: string
    readonly model?: boolean
    readonly form?: "native" | "text"
    readonly prompts?: { readonly [name: string]: string }
    readonly results?: { readonly [tool: string]: Json }
    /** Messages of tools that fail. */
    readonly failures?: { readonly [tool: string]: string }
    readonly validators?: ReadonlyArray<Validator>
    readonly start?: string
  } = {},
) =>
  Effect.gen(function* () {
    const events: Array<RunEvent> = []
    const provider = scriptedProvider(
      replies.map(({ calls = [], text = "" }) =>
        form === "native"
          ? {
              text,
              tool_calls: calls.map(([name, params]) => ({ name, arguments: params })),
            }
          : {
              json:
                calls.length === 0
                  ? { answer: text }
                  : { calls: calls.map(([tool, params]) => ({ tool, params })) },
            },
      ),
    )
    const source = stubTools(
      Object.fromEntries(
        Object.entries(tools).map(([name, { result, ...tool }]) => [
          name,
          {
            tool,
            ...(failures[name] === undefined
              ? { result: results[name] ?? result }
              : { fail: { class: "tool_error", message: failures[name] } }),
          },
        ]),
      ),
    )
    const folder = mkdtempSync(join(tmpdir(), "planloom-route-"))
    const write = (name: string, text: string) => writeFileSync(join(folder, name), text)
    write("planloom.yaml", "apiVersion: planloom/v1\nkind: Project\nmodel_facts: [models.yaml]\n")
    write(
      "models.yaml",
      "apiVersion: planloom/v1\nkind: Models\nmodels:\n  scripted/native: { capabilities: [tools] }\n  scripted/text: { capabilities: [] }\n",
    )
    for (const [name, text] of Object.entries(prompts)) write(`${name}.md`, text)
    const files = Object.keys(prompts).map((name) => `${name}: ${name}.md`)
    write(
      "workflow.yaml",
      `apiVersion: planloom/v1
kind: Workflow
name: conversation
user: { type: object, properties: { name: { type: string }, language: { type: string } } }
inputs: { message: { type: string }, current: { default: null } }
${files.length === 0 ? "" : `prompts: { ${files.join(", ")} }`}
models: { talker: { try: [${model ? `scripted/${form}` : ""}], otherwise: mechanical } }
${head}
stages:
  - id: turn
    uses: route
    model: talker
    ${files.length === 0 ? "" : "prompt: { use: base_prompt, mode: full }"}
    with:
      request: "\${{ inputs.message }}"
      current: "\${{ inputs.current }}"
      profile: "\${{ user }}"
      start: ${start}
      ${given}
      agents: ${agents.replaceAll("\n", "\n      ")}
outputs: { text: { type: string, stream: true, value: "\${{ stages.turn.output.text }}" } }
`,
    )
    const plugin = definePlugin({
      id: "test",
      summary: "Test.",
      components: { tools: [source], providers: [provider], validators },
    })
    const { pipeline } = yield* load(join(folder, "workflow.yaml"), {
      extraPlugins: [stages, retrieval, plugin, ...(validators.length === 0 ? [] : [shadow])],
    })
    const parts: Array<string> = []
    const outcome = yield* Effect.exit(
      run(
        pipeline,
        { message: request, current: current ?? null },
        {
          user: { name: "Bo", ...(language === "" ? {} : { language }) },
          onEvent: (event) => events.push(event),
          onPart: (part) => void parts.push(part.type === "text" ? part.text : part.type),
        },
      ),
    )
    const finished = events.find(({ type }) => type === "StageFinished")
    return {
      outcome,
      output: (finished?.type === "StageFinished" ? finished.output : {}) as unknown as Output,
      requests: provider.requests as ReadonlyArray<ModelRequest>,
      left: provider.unused().length,
      called: source.calls.map(({ tool }) => tool),
      events,
      parts,
      asked: events.flatMap((event) => (event.type === "Asked" ? [event.wait.message] : [])),
    }
  })

/** The part of the output that tests look at. */
export interface Output {
  readonly text: string
  readonly agent: string
  readonly flow: string
  readonly state: string
  readonly place: JsonObject
  readonly hops: ReadonlyArray<{
    readonly agent: string
    readonly mode: string
    readonly navigated: string
  }>
  readonly calls: ReadonlyArray<{ readonly tool: string; readonly ok: boolean }>
  readonly asks: boolean
  readonly escalated: boolean
  readonly handover?: JsonObject
}

export const toolsIn = ({ tools: declared = [] }: ModelRequest): ReadonlyArray<string> =>
  declared.map(({ name }) => name)

export const systemOf = ({ system }: ModelRequest): string =>
  system.map(({ text }) => text).join("\n")

/** Diagnostics of a workflow with these agents. */
export const checked = (written: string) =>
  Effect.gen(function* () {
    const path = join(mkdtempSync(join(tmpdir(), "planloom-route-")), "workflow.yaml")
    writeFileSync(
      path,
      `apiVersion: planloom/v1
kind: Workflow
name: conversation
inputs: { message: { type: string } }
stages:
  - id: turn
    uses: route
    with:
      request: "\${{ inputs.message }}"
      start: z
      agents: ${written}
`,
    )
    return yield* check(path, { extraPlugins: [stages, retrieval] })
  })
