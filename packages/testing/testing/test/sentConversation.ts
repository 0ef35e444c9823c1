/** The conversation in a request to a service, in one form for the three wire formats. */
import { assert } from "vitest"
import type { Json } from "@planloom/plugin/effect"
import type { WireRequest } from "../src/double/wire/wireServer.ts"

export interface SentCall {
  /** Of services that have ids. */
  readonly id?: string
  readonly name: string
  readonly arguments: Json
  readonly signature?: string
}

export interface SentTurn {
  readonly role: "user" | "assistant"
  readonly text: string
  readonly thoughts: ReadonlyArray<Json>
  readonly calls: ReadonlyArray<SentCall>
  /** The id of the call, or its name where the service has no ids, and the content. */
  readonly results: ReadonlyArray<readonly [of: string, content: Json]>
}

export interface Sent {
  readonly tools: ReadonlyArray<{ readonly name: string; readonly parameters: Json }>
  readonly turns: ReadonlyArray<SentTurn>
}

const readers: { readonly [F in WireRequest["format"]]: (body: any) => Sent } = {
  anthropic: (body) => ({
    tools: (body.tools ?? []).map(({ input_schema: parameters, name }: any) => ({
      name,
      parameters,
    })),
    turns: body.messages.map(({ content, role }: any) => ({
      role,
      text: textOf(content.filter(({ type }: any) => type === "text")),
      thoughts: content.filter(({ type }: any) => type === "thinking"),
      calls: content.flatMap(({ id, input, name, type }: any) =>
        type === "tool_use" ? [{ id, name, arguments: input }] : [],
      ),
      results: content.flatMap((block: any) =>
        block.type === "tool_result" ? [[block.tool_use_id, block.content]] : [],
      ),
    })),
  }),
  google: (body) => ({
    tools: (body.tools?.[0].functionDeclarations ?? []).map((one: any) => ({
      name: one.name,
      parameters: one.parametersJsonSchema,
    })),
    turns: body.contents.map(({ parts, role }: any) => ({
      role: role === "model" ? "assistant" : role,
      text: textOf(parts.filter(({ text }: any) => text !== undefined)),
      thoughts: [],
      calls: parts.flatMap(({ functionCall: call, thoughtSignature: signature }: any) =>
        call === undefined
          ? []
          : [
              {
                name: call.name,
                arguments: call.args,
                ...(signature === undefined ? {} : { signature }),
              },
            ],
      ),
      results: parts.flatMap(({ functionResponse: one }: any) =>
        one === undefined ? [] : [[one.name, JSON.stringify(one.response)]],
      ),
    })),
  }),
  ollama: (body) => ({
    tools: (body.tools ?? []).map(({ function: one }: any) => ({
      name: one.name,
      parameters: one.parameters,
    })),
    turns: body.messages.flatMap(
      ({ content, role, thinking, tool_call_id: id, tool_calls: calls = [] }: any) =>
        role === "system"
          ? []
          : [
              {
                role: role === "tool" ? "user" : role,
                text: role === "tool" ? "" : content,
                thoughts: thinking === undefined ? [] : [thinking],
                calls: calls.map((call: any) => ({ id: call.id, ...call.function })),
                results: role === "tool" ? [[id, content]] : [],
              },
            ],
    ),
  }),
  openai: (body) => {
    const turns: Array<SentTurn> = []
    for (const { content, role, tool_call_id: id, tool_calls: calls = [] } of body.messages) {
      if (role === "system") continue
      const last = turns.at(-1)
      if (role === "tool" && last !== undefined && last.results.length > 0) {
        turns[turns.length - 1] = { ...last, results: [...last.results, [id, content]] }
      } else {
        turns.push({
          role: role === "tool" ? "user" : role,
          text: role === "tool" ? "" : (content ?? ""),
          thoughts: [],
          calls: calls.map((call: any) => ({
            id: call.id,
            name: call.function.name,
            arguments: JSON.parse(call.function.arguments),
          })),
          results: role === "tool" ? [[id, content]] : [],
        })
      }
    }
    return {
      tools: (body.tools ?? []).map(({ function: one }: any) => ({
        name: one.name,
        parameters: one.parameters,
      })),
      turns,
    }
  },
  responses: (body) => {
    const turns: Array<SentTurn> = []
    const push = (role: SentTurn["role"], more: Partial<SentTurn>) => {
      const last = turns.at(-1)
      const empty = { role, text: "", thoughts: [], calls: [], results: [] }
      const turn = last?.role === role ? last : empty
      if (turn === last) turns.pop()
      turns.push({
        role,
        text: turn.text + (more.text ?? ""),
        thoughts: [...turn.thoughts, ...(more.thoughts ?? [])],
        calls: [...turn.calls, ...(more.calls ?? [])],
        results: [...turn.results, ...(more.results ?? [])],
      })
    }
    for (const { arguments: args, call_id: id, content, name, output, role, type } of body.input) {
      if (role === "system") continue
      if (type === "function_call_output") push("user", { results: [[id, output]] })
      else if (type === "function_call") {
        push("assistant", { calls: [{ id, name, arguments: JSON.parse(args) }] })
      } else if (type === "reasoning") push("assistant", { thoughts: [{ type }] })
      else push(role, { text: typeof content === "string" ? content : textOf(content) })
    }
    return {
      tools: (body.tools ?? []).map(({ name, parameters }: any) => ({ name, parameters })),
      turns,
    }
  },
}

const textOf = (parts: ReadonlyArray<{ readonly text: string }>): string =>
  parts.map(({ text }) => text).join("")

export const sentIn = ({ body, format }: WireRequest): Sent => readers[format](body)

/** Asserts what all three services reject a conversation for. */
export const assertAccepted = (request: WireRequest): void => {
  const { turns } = sentIn(request)
  const ids = turns.flatMap(({ calls }) => calls.flatMap(({ id }) => id ?? []))
  assert.strictEqual(new Set(ids).size, ids.length, "two calls have the same id")
  turns.forEach(({ calls, results, role, text }, index) => {
    assert.strictEqual(role, index % 2 === 0 ? "user" : "assistant", "roles do not alternate")
    assert.isTrue(text !== "" || calls.length + results.length > 0, "an empty message")
    const made = turns[index - 1]?.calls ?? []
    assert.deepStrictEqual(
      results.map(([of]) => of),
      made.map(({ id, name }) => id ?? name),
      "results are not those of the calls before them, in their order",
    )
  })
  assert.strictEqual(turns.at(-1)?.role, "user")
}
