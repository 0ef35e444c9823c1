/** Hook points: where hooks run, what they see, and which fields a transform owns. */
import type { Json, JsonObject, JsonSchema } from "../value/Json.ts"
import type { Message, ModelReply } from "./Model.ts"
import type { Section, ToolOffer } from "./Prompt.ts"
import type { CallRecord } from "../run/CallRecord.ts"
import type { ToolEffect } from "./Tool.ts"

/** A draft, and a patch of the fields that a transform owns. `never` rejects other fields at compile time. */
interface Point<Draft, Own extends keyof Draft = never> {
  readonly draft: Draft
  readonly patch: Partial<Pick<Draft, Own>> & {
    readonly [Field in Exclude<keyof Draft, Own>]?: never
  }
}

/** Hook points by id. */
export interface Points {
  /** Before the sections of a prompt are built; `sections` are their ids in order. */
  readonly pre_assembly: Point<
    {
      readonly request: string
      readonly mode: string
      readonly vars: JsonObject
      readonly sections: ReadonlyArray<string>
    },
    "mode" | "vars" | "sections"
  >
  /** For each section, after its expressions were evaluated. */
  readonly section_build: Point<Section, "text">
  /** The tools that are offered to the model. */
  readonly tools_build: Point<{ readonly offers: ReadonlyArray<ToolOffer> }, "offers">
  /** The whole prompt. */
  readonly post_assembly: Point<
    {
      readonly sections: ReadonlyArray<Section>
      readonly offers: ReadonlyArray<ToolOffer>
    },
    "sections"
  >
  /** Before each request to a model. */
  readonly before_model: Point<
    {
      readonly system: ReadonlyArray<Section>
      readonly messages: ReadonlyArray<Message>
      readonly model: string
    },
    "messages"
  >
  /** After a reply; its text may already have been released. */
  readonly after_model: Point<{ readonly reply: ModelReply }>
  /** Before the params of a tool call are validated and approved. */
  readonly before_tool: Point<
    {
      readonly tool: string
      readonly params: JsonObject
      readonly effect: ToolEffect
    },
    "params"
  >
  readonly after_tool: Point<{ readonly call: CallRecord; readonly result: Json }, "result">
  readonly before_stage: Point<{ readonly uses: string; readonly with: JsonObject }, "with">
  readonly after_stage: Point<{ readonly uses: string; readonly output: Json }, "output">
  /** Before an output leaves the run. A transform is not possible for an output that is streamed. */
  readonly before_response: Point<
    { readonly output: string; readonly text: string; readonly streamed: boolean },
    "text"
  >
  readonly run_finished: Point<{
    readonly status: string
    readonly outputs: JsonObject
    readonly degraded: boolean
  }>
}

export type PointId = keyof Points

/** A hook point as data, for `check`, documentation and the refusal of patches at run time. */
export interface HookPoint {
  readonly id: PointId
  readonly summary: string
  /** Where a hook can be declared for it. */
  readonly scope: "workflow" | "stage"
  /** Fields of the draft that a transform may return. */
  readonly owns: ReadonlyArray<string>
  readonly draft: JsonSchema
}

const text = { type: "string" } as const
const list = (items: JsonSchema) => ({ type: "array", items }) as const
const record = (properties: { readonly [name: string]: JsonSchema }) =>
  ({
    type: "object",
    properties,
    required: Object.keys(properties),
    additionalProperties: false,
  }) as const

const section = record({
  id: text,
  text,
  source: text,
  stable: { type: "boolean" },
  tokens: { type: "integer" },
})
const offers = list({
  type: "object",
  properties: {
    tool: text,
    form: { enum: ["schema", "index"] },
    ends: { const: true },
    own: { type: "object" },
  },
  required: ["tool", "form"],
  additionalProperties: false,
})
const any = true
const message = {
  type: "object",
  properties: { role: { enum: ["user", "assistant", "tool"] }, content: any },
  required: ["role", "content"],
} as const

const point = <P extends PointId>(
  id: P,
  scope: HookPoint["scope"],
  owns: ReadonlyArray<keyof Points[P]["draft"] & string>,
  properties: { readonly [name in keyof Points[P]["draft"]]-?: JsonSchema },
  summary: string,
): HookPoint => ({
  id,
  summary,
  scope,
  owns,
  draft: record(properties as { readonly [name: string]: JsonSchema }),
})

/** All hook points, in the order in which a run reaches them. */
export const hookPoints: ReadonlyArray<HookPoint> = [
  point(
    "before_stage",
    "stage",
    ["with"],
    { uses: text, with: { type: "object" } },
    "before a stage runs; a transform may change its `with`",
  ),
  point(
    "pre_assembly",
    "stage",
    ["mode", "vars", "sections"],
    { request: text, mode: text, vars: { type: "object" }, sections: list(text) },
    "before a prompt is assembled; a transform may change mode, variables and the list of sections",
  ),
  point(
    "section_build",
    "stage",
    ["text"],
    section.properties as never,
    "for each section of a prompt; a transform may change its text",
  ),
  point(
    "tools_build",
    "stage",
    ["offers"],
    { offers },
    "before tools are offered to a model; a transform may change the offers",
  ),
  point(
    "post_assembly",
    "stage",
    ["sections"],
    { sections: list(section), offers },
    "after a prompt was assembled; a transform may change its sections",
  ),
  point(
    "before_model",
    "stage",
    ["messages"],
    { system: list(section), messages: list(message), model: text },
    "before each request to a model; a transform may change the messages",
  ),
  point(
    "after_model",
    "stage",
    [],
    { reply: { type: "object" } },
    "after a model's reply, whose text may already have been released",
  ),
  point(
    "before_tool",
    "stage",
    ["params"],
    { tool: text, params: { type: "object" }, effect: { enum: ["none", "read", "write"] } },
    "before a tool call is validated and approved; a transform may change its params",
  ),
  point(
    "after_tool",
    "stage",
    ["result"],
    { call: { type: "object" }, result: any },
    "after a tool call; a transform may change the result",
  ),
  point(
    "after_stage",
    "stage",
    ["output"],
    { uses: text, output: any },
    "after a stage succeeded; a transform may change its output",
  ),
  point(
    "before_response",
    "workflow",
    ["text"],
    { output: text, text, streamed: { type: "boolean" } },
    "before an output leaves the run; a transform may change its text unless it is streamed",
  ),
  point(
    "run_finished",
    "workflow",
    [],
    { status: text, outputs: { type: "object" }, degraded: { type: "boolean" } },
    "after a run ended",
  ),
]
