/** Stage kind `act`: runs one tool of a turn's plan and reports the result. It never sees the user's message. */
import * as Effect from "effect/Effect"
import { plannedTool, propertiesOf, requiredOf } from "@planloom/planning"
import { writes } from "@planloom/planning/reading"
import { modelParams, stageKind, StageFailed } from "@planloom/plugin/effect"
import type {
  Failure,
  Json,
  JsonObject,
  JsonSchema,
  StageContext,
  Tool,
  ToolFailed,
} from "@planloom/plugin/effect"
import { languageOf, titleOfTool } from "@planloom/plugin/texts"
import { isObject } from "@planloom/schema"
import { replyCorrection } from "@planloom/stage-kit"
import { isOfArguments, refusedArguments } from "../refusedArguments.ts"
import { repairCall } from "../repairCall.ts"
import type { TurnPlan } from "../turn/Intent.ts"
import { ownArguments } from "../turn/ownArguments.ts"
import { turnPlanSchema } from "../turn/turnPlanSchema.ts"

interface Input {
  /** Without `settled`, the plan was made by the workflow's author and not read from a message. */
  readonly plan: Omit<TurnPlan, "each" | "settled" | "open"> &
    Partial<Pick<TurnPlan, "each" | "settled" | "open">>
}

interface Choice {
  readonly tool: Tool
  /** As the plan or the model writes them. */
  readonly given: JsonObject
  /** As the call is made with them. */
  readonly params: JsonObject
  /** The reason why a call would be refused. */
  readonly problem?: string | undefined
}

/** Existing candidates, in the plan's order. */
const candidatesOf = ({ plan }: Input, { tools }: StageContext): ReadonlyArray<Tool> =>
  plan.candidate_tools.flatMap((name) => tools.find((tool) => tool.name === name) ?? [])

/** The tool with arguments, as a call would be made with them. */
const choiceOf = (
  tool: Tool,
  given: JsonObject,
  { prepareCall }: StageContext,
): Effect.Effect<Choice> =>
  Effect.map(
    prepareCall({ tool: tool.name, params: given, repair: repairCall }),
    ({ params, problem }) => ({ tool, given, params, problem }),
  )

const complete = ({ params, tool }: Choice): boolean =>
  requiredOf(tool).every((name) => params[name] !== undefined)

/** The tool's own sentence; a tool may have none. */
const sentenceOf = (tool: Tool, result: Json, context: StageContext): string => {
  const text = isObject(result) ? result["text"] : undefined
  return typeof text === "string" && text !== ""
    ? text
    : context.text("done", { values: { tool: titleOfTool(tool, languageOf(context.user)) } })
}

/** Arguments that do not fit are named in words for the user; other failures have a message for the user. */
const failedText = (failure: ToolFailed, { params, tool }: Choice, context: StageContext): string =>
  isOfArguments(failure, { tool, params })
    ? refusedArguments(
        failure,
        { tool, params },
        {
          language: languageOf(context.user),
          say: (name, values) => context.text(name, { values }),
        },
      )
    : context.text("failed", { values: { reason: failure.message.replace(/\.$/, "") } })

/** Failures of the call itself are reported to the user; a budget, a timeout or a refusal ends the stage. */
const isAnswer = (failure: ToolFailed): boolean =>
  failure.class === "tool_error" || failure.class === "invalid_request"

/** The second of two actions is not run, and the report lists it. An alternative is not listed. */
const leftOver = (chosen: Choice, input: Input, context: StageContext): ReadonlyArray<Tool> =>
  input.plan.each === true
    ? candidatesOf(input, context).filter(({ name }) => name !== chosen.tool.name)
    : []

const run = (chosen: Choice, input: Input, context: StageContext): Effect.Effect<Json, Failure> => {
  const { given, params, tool } = chosen
  const { open = [], settled } = input.plan
  const left = leftOver(chosen, input, context)
  const language = languageOf(context.user)
  const tools = left.map((one) => titleOfTool(one, language)).join(", ")
  const rest = left.length === 0 ? "" : ` ${context.text("left", { values: { tools } })}`
  const report = (ok: boolean, text: string, result: Json) =>
    Effect.as(context.note("summary", text), {
      tool: tool.name,
      arguments: params,
      ok,
      text: `${text}${rest}`,
      result,
      left: left.map(({ name }) => name),
    })
  // A write whose words are not all understood is shown to a person before it is made.
  const approve = settled === false && writes(tool)
  return context
    .callTool({
      tool: tool.name,
      params: given,
      key: tool.name,
      repair: repairCall,
      open,
      approve,
      ...(settled === undefined ? {} : { settled }),
    })
    .pipe(
      Effect.flatMap((result) => report(true, sentenceOf(tool, result, context), result)),
      Effect.catchTag("ToolFailed", (failure) =>
        isAnswer(failure)
          ? report(false, failedText(failure, chosen, context), null)
          : Effect.fail(failure),
      ),
    )
}

const nothing = (input: Input): StageFailed =>
  new StageFailed({
    class: "invalid_request",
    message: `the plan names no tool that exists: ${input.plan.candidate_tools.join(", ") || "none"}`,
  })

const mechanically = (input: Input, context: StageContext): Effect.Effect<Json, Failure> =>
  Effect.flatMap(
    Effect.forEach(candidatesOf(input, context), (tool) =>
      choiceOf(tool, ownArguments(tool, input.plan.arguments), context),
    ),
    (choices) => {
      const fitting = choices.find(({ problem }) => problem === undefined)
      const chosen = fitting ?? choices.find(complete) ?? choices[0]
      return chosen === undefined ? Effect.fail(nothing(input)) : run(chosen, input, context)
    },
  )

const card = (tool: Tool): string =>
  JSON.stringify({ name: tool.name, does: tool.summary, params: modelParams(tool) })

/** A reply names a candidate and fits its params, or the model is asked again. */
const choiceSchema = (tools: ReadonlyArray<Tool>): JsonSchema => {
  const choices = tools.map((tool) => ({
    type: "object",
    additionalProperties: false,
    required: ["tool", "params"],
    properties: {
      tool: { type: "string", enum: [tool.name] },
      params: modelParams(plannedTool(tool)),
    },
  }))
  // Some services accept no choice at the root.
  return choices.length === 1 ? choices[0]! : { anyOf: choices }
}

/** The only candidate with valid arguments: a model could only repeat them. */
const settledChoice = (
  tools: ReadonlyArray<Tool>,
  input: Input,
  context: StageContext,
): Effect.Effect<Choice | undefined> => {
  const [tool] = tools
  if (tool === undefined || tools.length > 1) return Effect.undefined
  const given = ownArguments(tool, input.plan.arguments)
  // The plan may describe optional arguments in words only.
  if (Object.keys(given).length === 0 && propertiesOf(tool).length > 0) return Effect.undefined
  return Effect.map(choiceOf(tool, given, context), (choice) =>
    choice.problem === undefined ? choice : undefined,
  )
}

/** Without the words of the message. */
const shownPlan = ({ each: _each, open: _open, settled: _settled, ...plan }: Input["plan"]) => plan

const withModel = Effect.fnUntraced(function* (input: Input, context: StageContext) {
  const tools = candidatesOf(input, context)
  if (tools.length === 0) return yield* Effect.fail(nothing(input))
  const settled = yield* settledChoice(tools, input, context)
  if (settled !== undefined) return yield* run(settled, input, context)
  const again = replyCorrection(context, "Output only the corrected JSON.")
  const reply = yield* context.model.json(
    {
      prompt: {
        sections: [
          {
            id: "instructions",
            text: `Pick exactly one of the tools for the plan, and write its params. Reply with {"tool": name, "params": {…}} and nothing else.\n${tools.map(card).join("\n")}`,
            stable: false,
          },
        ],
      },
      messages: [{ role: "user", content: JSON.stringify(shownPlan(input.plan)) }, ...again],
      ...(again.length === 0 ? {} : { temperature: 0 }),
    },
    { name: "tool_choice", schema: choiceSchema(tools) },
  )
  const { params, tool: name } = reply as { readonly params: JsonObject; readonly tool: string }
  const tool = tools.find((one) => one.name === name)!
  return yield* run(yield* choiceOf(tool, params, context), input, context)
})

export const act = stageKind<Input>({
  id: "act",
  summary: "Runs one tool of a turn's plan and reports.",
  sections: ["instructions"],
  input: {
    type: "object",
    additionalProperties: false,
    required: ["plan"],
    properties: {
      plan: { ...turnPlanSchema(), description: "the output of plan_turn" },
    },
  },
  output: {
    type: "object",
    additionalProperties: false,
    required: ["tool", "arguments", "ok", "text", "result", "left"],
    properties: {
      tool: { type: "string" },
      arguments: { type: "object" },
      ok: { type: "boolean", description: "false if the tool reported a failure" },
      text: { type: "string", description: "one sentence for the user" },
      result: { description: "the tool's result; null if it failed" },
      left: { type: "array", items: { type: "string" }, description: "actions not run" },
    },
  },
  asks: () => ({ questions: [{ way: "json" }], calls: 1 }),
  model: withModel,
  mechanical: mechanically,
})
