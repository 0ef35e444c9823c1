/** Stage kind `plan_turn`: plans one turn of a conversation: its intent, candidate tools, and a first reply. */
import * as Effect from "effect/Effect"
import { ModelFailed, stageKind, StageFailed } from "@planloom/plugin/effect"
import type {
  Json,
  PastTurn,
  Reader,
  StageContext,
  TurnPlan,
  TurnRequest,
} from "@planloom/plugin/effect"
import { refersTo } from "@planloom/stage-kit"
import { checkTurnPlan } from "../turn/checkTurnPlan.ts"
import { offeredTools, readerName, readerOf } from "../turn/readerOf.ts"
import { recentTurns, turnAsk } from "../turn/turnAsk.ts"
import { turnPlanSchema, turnReplySchema } from "../turn/turnPlanSchema.ts"

interface Input {
  readonly reader: string
  readonly text: string
  readonly history: ReadonlyArray<PastTurn>
  /** YYYY-MM-DD, or empty. */
  readonly today: string
  readonly clarify_below: number
}

const two = (value: number): string => String(value).padStart(2, "0")

/** The user's date and time: the process's unless the workflow gives another day. */
const momentOf = (
  input: Input,
  { now }: StageContext,
): Effect.Effect<Pick<TurnRequest, "today" | "time">, StageFailed> => {
  if (input.today !== "" && !isDay(input.today))
    return Effect.fail(
      new StageFailed({ class: "invalid_request", message: `there is no day ${input.today}` }),
    )
  return Effect.map(now, (moment) => {
    const date = new Date(moment)
    const today = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
    const time = `${two(date.getHours())}:${two(date.getMinutes())}`
    return input.today === "" || input.today === today
      ? { today, time }
      : { today: input.today, time: `${time} by this machine's clock` }
  })
}

const isDay = (text: string): boolean => {
  const date = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
}

/** The message, and the tools whose group is an intent of the reader. */
const requestOf = Effect.fnUntraced(function* (input: Input, context: StageContext) {
  const reader = readerOf(context, input.reader)
  if (reader instanceof StageFailed) return yield* Effect.fail(reader)
  const request: TurnRequest = {
    text: input.text,
    history: recentTurns(input.history),
    tools: offeredTools(reader, context.tools),
    ...(yield* momentOf(input, context)),
  }
  return { reader, request } as { readonly reader: Reader; readonly request: TurnRequest }
})

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
  const { reader, request } = yield* requestOf(input, context)
  const known = reader.withoutModel?.(request)
  if (known !== undefined) return yield* noted(known, input, context)
  const reply = yield* context.model.json(turnAsk(request, reader, context), {
    name: "turn_plan",
    schema: turnReplySchema(
      reader.intents.map(({ id }) => id),
      request.tools.map(({ name }) => name),
    ),
  })
  const checked = checkTurnPlan(reply, input.clarify_below, reader, request.tools)
  if (checked instanceof ModelFailed) return yield* Effect.fail(checked)
  for (const { field, was, why } of checked.changes)
    yield* context.note("changed", { field, why, was })
  return yield* noted(checked.plan, input, context)
})

const mechanically = Effect.fnUntraced(function* (input: Input, context: StageContext) {
  const { reader, request } = yield* requestOf(input, context)
  if (request.tools.length === 0)
    return yield* Effect.fail(
      new StageFailed({
        class: "invalid_request",
        message: `no tool has a group that is an intent of the reader ${reader.id}`,
      }),
    )
  return yield* noted(yield* reader.read(request, context), input, context)
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
  input: {
    type: "object",
    additionalProperties: false,
    required: ["reader", "text"],
    properties: {
      reader: readerName,
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
    },
  },
  output: turnPlanSchema(),
  model: withModel,
  mechanical: mechanically,
  refers: refersTo({ reader: "reader" }),
})
