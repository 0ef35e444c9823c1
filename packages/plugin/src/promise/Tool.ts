/** Tools and tool sources in promise style. */
import type { FromSchema } from "@planloom/schema"
import * as Effect from "effect/Effect"
import { ToolFailed } from "../Failure.ts"
import type { Json, JsonSchema } from "../Json.ts"
import type {
  Tool as EffectTool,
  ToolInvocation as EffectInvocation,
  ToolList,
  ToolResult,
  ToolSource as EffectSource,
} from "../Tool.ts"
import type { Async, CallSignal } from "./Async.ts"
import { abandoned, fromAsync } from "./fromAsync.ts"
import { streamed } from "./streamed.ts"
import { toolFailure } from "./Thrown.ts"
import { translate } from "./translate.ts"

/** One tool call. */
export interface ToolInvocation extends Async<EffectInvocation>, CallSignal {}

/** A tool with the function that runs it. */
export interface Tool<
  Params extends JsonSchema = JsonSchema,
  Result extends JsonSchema = JsonSchema,
>
  extends
    Omit<EffectTool, "params" | "result" | "capabilities" | "inputs" | "outputs">,
    Partial<Pick<EffectTool, "capabilities" | "inputs" | "outputs">> {
  /** JSON Schema of its arguments. */
  readonly params: Params
  /** JSON Schema of its result. */
  readonly result?: Result
  /** Every parameter is data: never code, a path outside of `workspace` and `roots`, or a query. */
  readonly run: (
    params: FromSchema<Params>,
    call: ToolInvocation,
  ) => FromSchema<Result> | PromiseLike<FromSchema<Result>>
}

/** Declares a tool for `toolSource`. `params` and `result` type its function. */
export const tool = <const Params extends JsonSchema, const Result extends JsonSchema = JsonSchema>(
  one: Tool<Params, Result>,
): Tool => one as unknown as Tool

/** A source of tools: those it lists here, or those that `list` finds. */
export type ToolSource = Pick<EffectSource, "id" | "summary" | "catalogTools"> &
  (
    | { readonly tools: ReadonlyArray<Tool>; readonly catalogTools?: never }
    | {
        /** Called often: must be cheap. */
        readonly list: () => ToolList | PromiseLike<ToolList>
        /**
         * Yields when the list has changed: it is read again, for runs that start later. The signal is aborted when
         * the workflow is closed.
         */
        readonly changes?: (call: CallSignal) => AsyncIterable<void>
        readonly call: (invocation: ToolInvocation) => ToolResult | PromiseLike<ToolResult>
      }
  )

/** Declares a source of tools. */
export const toolSource = (source: ToolSource): EffectSource => {
  if ("tools" in source) return listed(source)
  const { call, catalogTools, changes, id, list, summary } = source
  return {
    id,
    summary,
    ...(catalogTools && { catalogTools }),
    list: fromAsync(list, toolFailure(id)),
    ...(changes && { changes: streamed(changes, (error) => Effect.die(error)) }),
    call: (invocation) => called(call, invocation),
    endsAtOnce: true,
  }
}

const listed = ({
  id,
  summary,
  tools,
}: Extract<ToolSource, { readonly tools: unknown }>): EffectSource => {
  const byName = new Map(tools.map((one) => [one.name, one]))
  return {
    id,
    summary,
    list: Effect.succeed({ tools: tools.map(described) }),
    call: (invocation) => {
      const one = byName.get(invocation.tool)
      return one === undefined
        ? Effect.fail(
            new ToolFailed({
              tool: invocation.tool,
              class: "invalid_request",
              message: `the tool source "${id}" has no tool "${invocation.tool}"`,
            }),
          )
        : Effect.map(
            called<Json>((given) => one.run(given.params, given), invocation),
            (value): ToolResult => ({ value }),
          )
    },
    endsAtOnce: true,
  }
}

const described = ({ run: _run, ...one }: Tool): EffectTool => ({
  capabilities: [],
  inputs: {},
  outputs: ["json"],
  ...one,
})

const called = <Result>(
  run: (invocation: ToolInvocation) => Result | PromiseLike<Result>,
  invocation: EffectInvocation,
): Effect.Effect<Result, ToolFailed> =>
  fromAsync(
    (call) => run(translate(invocation, call) as ToolInvocation),
    toolFailure(invocation.tool),
    abandoned,
  )
