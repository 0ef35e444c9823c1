/** A tool source that gives declared results instead of running, and remembers every call. */
import * as Effect from "effect/Effect"
import {
  failureClasses,
  ToolFailed,
  type JsonObject,
  type Tool,
  type ToolInvocation,
  type ToolResult,
  type ToolSource,
} from "@planloom/plugin/effect"
import { plural } from "./Script.ts"
import type { ToolStub } from "../file/WorkflowTest.ts"

/** A call as the source saw it. */
export interface StubbedCall {
  readonly tool: string
  readonly params: JsonObject
  readonly inputs: JsonObject
  readonly key: string
}

export interface StubSource extends ToolSource {
  /** In the order they came. */
  readonly calls: ReadonlyArray<StubbedCall>
  /** One sentence for each call that no result was left for. */
  readonly refused: ReadonlyArray<string>
  /** Names of tools whose results are not used up, with the number left. */
  readonly unused: () => ReadonlyArray<{ readonly tool: string; readonly left: number }>
  /** Throws when results are left, or when a call found none. */
  readonly assertExhausted: () => void
}

/** A stub, with what `list` says of the tool where that matters. */
export interface ListedStub extends ToolStub {
  readonly tool?: Partial<Tool>
}

/** A tool without declared results fails with class `internal`. A `delay` is waited on Effect's clock. */
export const stubTools = (
  stubs: { readonly [tool: string]: ListedStub },
  options: { readonly id?: string } = {},
): StubSource => {
  const calls: Array<StubbedCall> = []
  const refused: Array<string> = []
  const taken = new Map<string, number>()

  const answer = (invocation: ToolInvocation): Effect.Effect<ToolResult, ToolFailed> =>
    Effect.suspend(() => {
      const { inputs, key, params, tool } = invocation
      calls.push({ tool, params, inputs, key })
      const stub = Object.hasOwn(stubs, tool) ? stubs[tool] : undefined
      if (stub === undefined) return refuse(tool, missing(tool))
      const outcome = outcomeOf(stub, tool)
      return stub.delay === undefined ? outcome : Effect.andThen(Effect.sleep(stub.delay), outcome)
    })

  const outcomeOf = (stub: ListedStub, tool: string): Effect.Effect<ToolResult, ToolFailed> => {
    const number = (taken.get(tool) ?? 0) + 1
    taken.set(tool, number)
    if (stub.fail !== undefined) {
      const { class: reason, detail, message, retry_after: retryAfter } = stub.fail
      return Effect.fail(
        new ToolFailed({
          tool,
          class: reason,
          message: message ?? failureClasses[reason],
          ...(detail === undefined ? {} : { detail }),
          ...(retryAfter === undefined ? {} : { retryAfter }),
        }),
      )
    }
    const { results } = stub
    if (results === undefined)
      return Effect.sync(() => ({ value: structuredClone(stub.result ?? null) }))
    const result = results[number - 1]
    return result === undefined
      ? refuse(
          tool,
          `the stub of "${tool}" has ${plural(results.length, "result", "results")}, and this is call ${number}`,
        )
      : Effect.sync(() => ({ value: structuredClone(result) }))
  }

  const refuse = (tool: string, message: string): Effect.Effect<never, ToolFailed> => {
    refused.push(message)
    return Effect.fail(new ToolFailed({ tool, class: "internal", message }))
  }

  const unused = () =>
    Object.entries(stubs).flatMap(([tool, { results }]) => {
      const left = (results?.length ?? 0) - (taken.get(tool) ?? 0)
      return left > 0 ? [{ tool, left }] : []
    })

  return {
    id: options.id ?? "stubs",
    summary: "Gives declared results.",
    list: Effect.sync(() => ({
      tools: Object.entries(stubs).map(([name, { tool }]) => listed(name, tool)),
    })),
    call: answer,
    calls,
    refused,
    unused,
    assertExhausted: () => {
      const left = unused().map(
        ({ left: count, tool }) => `"${tool}" has ${plural(count, "result", "results")} left`,
      )
      if (refused.length + left.length > 0) throw new Error([...refused, ...left].join("\n"))
    },
  }
}

const missing = (tool: string): string =>
  `the tool "${tool}" has no stub: give it a result under \`tools\`, or write \`${tool}: real\` to call it`

const listed = (name: string, known: Partial<Tool> = {}): Tool => ({
  name,
  summary: `a stub of ${name}`,
  capabilities: [],
  inputs: {},
  params: true,
  outputs: [],
  // A stub changes nothing.
  effect: "read",
  ...known,
})
