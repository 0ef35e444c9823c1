/** Plans one turn of a conversation: what is wanted, which tools may do it, and what to say meanwhile. */
import * as Effect from "effect/Effect"
import { ModelFailed, stageKind, StageFailed } from "@planloom/plugin"
import type { Json, StageContext, Tool } from "@planloom/plugin"
import { checkedPlan } from "../planning/checkedPlan.ts"
import type { Moment } from "../planning/clockAnswer.ts"
import { clockPlan, intentOf, mechanicalPlan } from "../planning/mechanicalPlan.ts"
import {
  needsTool,
  outputSchema,
  replySchema,
  type PlannerOutput,
} from "../planning/PlannerOutput.ts"
import { documentOf } from "../planning/toolDocument.ts"
import { plannerAsk, recentTurns, type PastTurn } from "../planning/plannerAsk.ts"

interface Input {
  readonly text: string
  readonly history: ReadonlyArray<PastTurn>
  /** YYYY-MM-DD, or empty. */
  readonly today: string
  readonly clarify_below: number
}

/** Tools whose group is an intent; others are somebody else's. */
const offered = ({ tools }: StageContext): ReadonlyArray<Tool> =>
  tools.filter((tool) => needsTool(intentOf(tool)))

const two = (value: number): string => String(value).padStart(2, "0")

/** The user's day and time: this process's are theirs unless the workflow says that it is another day there. */
const momentOf = (input: Input, { now }: StageContext): Effect.Effect<Moment, StageFailed> => {
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

/** The plan with one line about it; the workflow tells the reply early, as an output. */
const told = (plan: PlannerOutput, input: Input, context: StageContext): Effect.Effect<Json> =>
  Effect.gen(function* () {
    const tools = plan.candidate_tools.length === 0 ? "no tool" : plan.candidate_tools.join(", ")
    yield* context.note("summary", `${plan.intent}, ${tools}, ${plan.confidence}`)
    const { clarify_below: threshold } = input
    const { confidence } = plan
    yield* context.note("confidence", { confidence, threshold, asks: confidence < threshold })
    return plan as unknown as Json
  })

const withModel = Effect.fnUntraced(function* (input: Input, context: StageContext) {
  const tools = offered(context)
  const moment = yield* momentOf(input, context)
  // No model knows the time, and telling it would make the start of each prompt another one.
  const clock = clockPlan(input.text, moment)
  if (clock !== undefined) return yield* told(clock, input, context)
  const { today } = moment
  const reply = yield* context.model.json(plannerAsk({ ...input, today, tools }, context), {
    name: "turn_plan",
    schema: replySchema(tools.map(({ name }) => name)),
  })
  const checked = checkedPlan(reply, input.clarify_below)
  if (checked instanceof ModelFailed) return yield* Effect.fail(checked)
  for (const { field, was, why } of checked.changes)
    yield* context.note("changed", { field, why, was })
  return yield* told(checked.plan, input, context)
})

const mechanically = Effect.fnUntraced(function* (input: Input, context: StageContext) {
  const tools = offered(context)
  if (tools.length === 0)
    return yield* Effect.fail(
      new StageFailed({
        class: "invalid_request",
        message: "no tool has a group that is an intent, so there is nothing to plan with",
      }),
    )
  const index = yield* context.index(tools.map(documentOf))
  const history = recentTurns(input.history)
  const found = new Map<string, ReadonlyArray<string>>()
  const asked = new Set<string>()
  const near = (text: string) => {
    const known = found.get(text)
    if (known === undefined) asked.add(text)
    return known ?? []
  }
  const moment = yield* momentOf(input, context)
  // The index answers later than the plan asks it: what was asked for is looked up, and the plan made again.
  for (;;) {
    const plan = mechanicalPlan({ text: input.text, ...moment, history, tools, near })
    if (asked.size === 0) return yield* told(plan, input, context)
    for (const text of asked) {
      const hits = yield* index.search(text, 5)
      found.set(
        text,
        hits.map(({ id }) => id),
      )
    }
    asked.clear()
  }
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
  summary: "Plans one turn of a conversation with a device.",
  input: {
    type: "object",
    additionalProperties: false,
    required: ["text"],
    properties: {
      text: { type: "string", minLength: 1, description: "what the user says" },
      history: {
        type: "array",
        items: turn,
        default: [],
        description: "the turns before, oldest first; the last six count",
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
  output: outputSchema(),
  model: withModel,
  mechanical: mechanically,
})
