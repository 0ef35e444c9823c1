/** Stage kind `plan_turn`: plans one turn of a conversation: its intent, candidate tools, and a first reply. */
import * as Effect from "effect/Effect"
import { ModelFailed, stageKind, StageFailed } from "@planloom/plugin/effect"
import type { Json, StageContext } from "@planloom/plugin/effect"
import { localDay } from "../turn/localDay.ts"
import { checkTurnPlan } from "../turn/checkTurnPlan.ts"
import {
  intentsSchema,
  offeredTools,
  type Intent,
  type PastTurn,
  type TurnPlan,
} from "../turn/Intent.ts"
import { ownArguments } from "../turn/ownArguments.ts"
import { readTurn, settledBy, type Turn } from "../turn/readTurn.ts"
import { recentTurns, turnAsk } from "../turn/turnAsk.ts"
import { turnPlanSchema, turnReplySchema } from "../turn/turnPlanSchema.ts"

interface Input {
  readonly intents: ReadonlyArray<Intent>
  readonly text: string
  readonly history: ReadonlyArray<PastTurn>
  /** YYYY-MM-DD, or empty. */
  readonly today: string
  readonly clarify_below: number
  readonly missing_confidence: number
}

/** The user's day: this machine's unless the workflow gives another. */
const dayOf = (input: Input, { now }: StageContext): Effect.Effect<string, StageFailed> => {
  if (input.today === "") return Effect.map(now, localDay)
  return isDay(input.today)
    ? Effect.succeed(input.today)
    : Effect.fail(
        new StageFailed({ class: "invalid_request", message: `there is no day ${input.today}` }),
      )
}

const isDay = (text: string): boolean => {
  const date = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
}

/** The message, and the tools whose group is an intent. */
const turnOf = (input: Input, context: StageContext): Effect.Effect<Turn, StageFailed> => {
  const { history, intents, text } = input
  return Effect.map(dayOf(input, context), (today) => ({
    text,
    history: recentTurns(history),
    tools: offeredTools(intents, context.tools),
    intents,
    today,
  }))
}

/** The plan, summarized in one line; the workflow emits the reply early, as an output. */
const noted = (plan: TurnPlan, input: Input, context: StageContext): Effect.Effect<Json> =>
  Effect.gen(function* () {
    const tools = plan.candidate_tools.length === 0 ? "no tool" : plan.candidate_tools.join(", ")
    yield* context.note("summary", `${plan.intent}, ${tools}, ${plan.confidence}`)
    const { clarify_below: threshold } = input
    const { confidence } = plan
    yield* context.note("confidence", { confidence, threshold, asks: confidence < threshold })
    return plan as unknown as Json
  })

const withModel = Effect.fnUntraced(function* (input: Input, context: StageContext) {
  const given = yield* turnOf(input, context)
  const { intents, text, today, tools } = given
  const reply = yield* context.model.json(turnAsk(given, context), {
    name: "turn_plan",
    schema: turnReplySchema(
      intents.map(({ id }) => id),
      tools.map(({ name }) => name),
    ),
  })
  const { clarify_below: sure, missing_confidence: assumed } = input
  const checked = checkTurnPlan(reply, { assumed, sure }, intents, tools)
  if (checked instanceof ModelFailed) return yield* Effect.fail(checked)
  for (const { field, was, why } of checked.changes)
    yield* context.note("changed", { field, why, was })
  const { plan } = checked
  const first = tools.find(({ name }) => name === plan.candidate_tools[0])
  const settling =
    first === undefined
      ? { settled: false, open: [] }
      : settledBy(text, today, first, ownArguments(first, plan.arguments))
  return yield* noted({ ...plan, ...settling }, input, context)
})

const mechanically = Effect.fnUntraced(function* (input: Input, context: StageContext) {
  const given = yield* turnOf(input, context)
  if (given.tools.length === 0)
    return yield* Effect.fail(
      new StageFailed({
        class: "invalid_request",
        message: "no tool of the workflow has a group that is an intent",
      }),
    )
  return yield* noted(yield* readTurn(given, context), input, context)
})

const turn = {
  type: "object",
  additionalProperties: false,
  required: ["user"],
  properties: {
    user: { type: "string" },
    assistant: { type: "string", default: "", description: "the chat_response of that turn alone" },
  },
} as const

export const plan_turn = stageKind<Input>({
  id: "plan_turn",
  summary: "Plans one turn of a conversation: what is wanted, which tools may do it, the reply.",
  sections: ["instructions"],
  input: {
    type: "object",
    additionalProperties: false,
    required: ["intents", "text"],
    properties: {
      intents: intentsSchema,
      text: { type: "string", minLength: 1, description: "what the user says" },
      history: {
        type: "array",
        items: turn,
        default: [],
        description: "past turns, oldest first; the last six are used",
      },
      today: {
        type: "string",
        pattern: "^(\\d{4}-\\d{2}-\\d{2})?$",
        default: "",
        description: "the user's day, YYYY-MM-DD; this machine's when empty",
      },
      clarify_below: {
        type: "number",
        minimum: 0,
        maximum: 1,
        default: 0.4,
        description: "below this confidence no tool is proposed",
      },
      missing_confidence: {
        type: "number",
        minimum: 0,
        maximum: 1,
        default: 0.8,
        description: "the confidence of a model's plan that states none",
      },
    },
  },
  output: turnPlanSchema(),
  asks: () => ({ questions: [{ way: "json" }] }),
  model: withModel,
  mechanical: mechanically,
})
