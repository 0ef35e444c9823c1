/** Tools and tool sources in promise style. */
import type { FromSchema } from "@planloom/schema"
import { withDefaults } from "@planloom/schema/defaults"
import * as Effect from "effect/Effect"
import { ToolFailed } from "../run/Failure.ts"
import type { Json, JsonObject, JsonSchema } from "../value/Json.ts"
import type {
  Tool as EffectTool,
  ToolInvocation as EffectInvocation,
  ToolList,
  ToolPreview as EffectPreview,
  ToolResult,
  ToolSource as EffectSource,
} from "../component/Tool.ts"
import type { Async, CallSignal } from "./Async.ts"
import { abandoned, fromAsync, mappedAsync } from "./fromAsync.ts"
import { streamed } from "./streamed.ts"
import { toolFailure } from "./Thrown.ts"
import { translate } from "./translate.ts"

/** One tool call. */
export interface ToolInvocation extends Async<EffectInvocation>, CallSignal {}

/** One tool call that is not made yet. */
export interface ToolPreview extends Async<EffectPreview>, CallSignal {}

/** A tool with the function that runs it. */
export interface Tool<
  Params extends JsonSchema = JsonSchema,
  Result extends JsonSchema = JsonSchema,
  Fields extends JsonSchema = JsonSchema,
>
  extends
    Omit<
      EffectTool,
      "params" | "result" | "approval_fields" | "capabilities" | "inputs" | "outputs"
    >,
    Partial<Pick<EffectTool, "capabilities" | "inputs" | "outputs">> {
  /** JSON Schema of its arguments. `default`s are filled in. */
  readonly params: Params
  /** JSON Schema of its result. */
  readonly result?: Result
  /** JSON Schema of the fields that an approval shows. */
  readonly approval_fields?: Fields
  /** The fields of an approval: what the call would do now. It changes nothing, and throws for a call that would fail. */
  readonly preview?: (
    params: FromSchema<Params, true>,
    call: ToolPreview,
  ) => FromSchema<Fields> | PromiseLike<FromSchema<Fields>>
  /** Every parameter is data: never code, a path outside of `workspace` and `roots`, or a query. */
  readonly run: (
    params: FromSchema<Params, true>,
    call: ToolInvocation,
  ) => FromSchema<Result> | PromiseLike<FromSchema<Result>>
}

/** Declares a tool for `toolSource`. `params`, `result` and `approval_fields` type its functions. */
export const tool = <
  const Params extends JsonSchema,
  const Result extends JsonSchema = JsonSchema,
  const Fields extends JsonSchema = JsonSchema,
>(
  one: Tool<Params, Result, Fields>,
): Tool => one as unknown as Tool

/** A source of tools: those it lists here, or those that `list` finds. */
export type ToolSource = Pick<EffectSource, "id" | "summary" | "catalogTools" | "given"> &
  (
    | { readonly tools: ReadonlyArray<Tool>; readonly catalogTools?: never }
    | {
        /** Called often: must be cheap. */
        readonly list: () => ToolList | PromiseLike<ToolList>
        /** The list of the last synchronization; starts and connects to nothing. */
        readonly known?: () => ToolList | PromiseLike<ToolList>
        /**
         * Yields when the list has changed: `list` is read again. The signal is aborted when the workflow is closed.
         */
        readonly changes?: (call: CallSignal) => AsyncIterable<void>
        readonly call: (invocation: ToolInvocation) => ToolResult | PromiseLike<ToolResult>
        /** For tools with `approval_fields`. */
        readonly preview?: (preview: ToolPreview) => JsonObject | PromiseLike<JsonObject>
      }
  )

/** Declares a source of tools. */
export const toolSource = (source: ToolSource): EffectSource => {
  if ("tools" in source) return listed(source)
  const { call, catalogTools, changes, given, id, known, list, preview, summary } = source
  return {
    id,
    summary,
    ...(catalogTools && { catalogTools }),
    ...(given && { given }),
    list: fromAsync(list, toolFailure(id)),
    ...(known && { known: fromAsync(known, toolFailure(id)) }),
    ...(changes && { changes: streamed(changes, (error) => Effect.die(error)) }),
    call: (invocation) => called(call, invocation),
    endsAtOnce: true,
    ...(preview && { preview: (draft) => called(preview, draft) }),
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
        ? refused(id, invocation.tool, "tool")
        : mappedAsync(
            (call) => {
              const params = withDefaults(one.params, invocation.params)
              return one.run(params, translate(invocation, call, { params }) as ToolInvocation)
            },
            resultOf,
            toolFailure(invocation.tool),
            abandoned,
          )
    },
    endsAtOnce: true,
    preview: (given) => {
      const { params, preview } = byName.get(given.tool) ?? {}
      return preview === undefined
        ? refused(id, given.tool, "preview")
        : called(
            (call: ToolPreview) =>
              preview(withDefaults(params!, call.params), call) as
                | JsonObject
                | PromiseLike<JsonObject>,
            given,
          )
    },
  }
}

const resultOf = (value: Json): ToolResult => ({ value })

const refused = (
  source: string,
  name: string,
  missing: "preview" | "tool",
): Effect.Effect<never, ToolFailed> =>
  Effect.fail(
    new ToolFailed({
      tool: name,
      class: "invalid_request",
      message: `the tool source "${source}" has no ${missing} "${name}"`,
    }),
  )

const described = ({ preview: _preview, run: _run, ...one }: Tool): EffectTool => ({
  capabilities: [],
  inputs: {},
  outputs: ["json"],
  ...one,
})

const called = <Given extends ToolPreview, Result>(
  run: (given: Given) => Result | PromiseLike<Result>,
  given: EffectInvocation | EffectPreview,
): Effect.Effect<Result, ToolFailed> =>
  fromAsync((call) => run(translate(given, call) as Given), toolFailure(given.tool), abandoned)
