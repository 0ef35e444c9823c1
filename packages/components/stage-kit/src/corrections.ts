/** Messages that ask a model to correct its last answer: a refusal by a later check, issues of its last reply. */
import { isObject } from "@planloom/planning"
import type { FailureRecord, Json, Message, StageContext } from "@planloom/plugin/effect"

/** The text of the refusal; empty on the first run of the stage. */
const refusalOf = ({ feedback }: StageContext): string => {
  if (feedback === undefined) return ""
  const refusal = isObject(feedback.output) ? feedback.output.text : undefined
  return typeof refusal === "string" && refusal !== "" ? refusal : feedback.message
}

/** The issues of the last attempt's reply, one per line. */
const issuesOf = ({ detail, message }: FailureRecord): string => {
  const issues = isObject(detail) ? detail.issues : undefined
  const lines = Array.isArray(issues)
    ? issues.map((issue: Json) =>
        isObject(issue) ? `- ${String(issue.path)} ${String(issue.message)}` : `- ${String(issue)}`,
      )
    : []
  return [message, ...lines].join("\n")
}

/** A longer reply is cut: it would push the task out of a small context. */
const MAX_REPLY_CHARS = 8000

/** The reply of the last attempt, as the model's own turn; none if the failure does not contain it. */
const lastReply = ({ detail }: FailureRecord): ReadonlyArray<Message> => {
  const reply = isObject(detail) ? detail.reply : undefined
  // Services refuse an empty turn.
  if (typeof reply !== "string" || reply.trim() === "") return []
  const isLong = reply.length > MAX_REPLY_CHARS
  return [
    { role: "assistant", content: isLong ? `${reply.slice(0, MAX_REPLY_CHARS)}…` : reply } as const,
  ]
}

/**
 * The unusable reply of the last attempt as the model's turn, then its issues and `instruction` as the user's; empty
 * unless the last attempt failed with `invalid_output`.
 */
export const replyCorrection = (
  { previous }: StageContext,
  instruction: string,
): ReadonlyArray<Message> =>
  previous?.class !== "invalid_output"
    ? []
    : [
        ...lastReply(previous),
        {
          role: "user",
          content: `Your last reply could not be used: ${issuesOf(previous)}\n${instruction}`,
        },
      ]

/** The questions the stage has asked the user, with the answers. */
const conversation = ({ answers }: StageContext): ReadonlyArray<Message> =>
  answers.flatMap(({ answer, question }) => [
    { role: "assistant", content: question },
    { role: "user", content: typeof answer === "string" ? answer : JSON.stringify(answer) },
  ])

/** Messages to add after the task, in the order answers, refusal, reply issues with an instruction. */
export const corrections = (
  context: StageContext,
  instruction = "Reply with JSON of the required shape only.",
): ReadonlyArray<Message> => {
  const refusal = refusalOf(context)
  return [
    ...conversation(context),
    ...(refusal === ""
      ? []
      : [{ role: "user", content: `Your last answer was refused:\n${refusal}` } as const]),
    ...replyCorrection(context, instruction),
  ]
}
