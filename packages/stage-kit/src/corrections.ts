/** What a model should do better this time: the payload of a refusing check, the faults of its last reply. */
import { isObject } from "@planloom/planning"
import type { Json, Message, StageContext } from "@planloom/plugin"

/** The refusal in words; empty when the stage runs for the first time. */
const refusalOf = ({ feedback }: StageContext): string => {
  if (feedback === undefined) return ""
  const told = isObject(feedback.output) ? feedback.output.text : undefined
  return typeof told === "string" && told !== "" ? told : feedback.message
}

/** The faults of the last attempt's reply, one a line. */
const faultsOf = ({ previous }: StageContext): string => {
  if (previous?.class !== "invalid_output") return ""
  const issues = isObject(previous.detail) ? previous.detail.issues : undefined
  const lines = Array.isArray(issues)
    ? issues.map((issue: Json) =>
        isObject(issue) ? `- ${String(issue.path)} ${String(issue.message)}` : `- ${String(issue)}`,
      )
    : []
  return [previous.message, ...lines].join("\n")
}

/** What the stage has asked its user, and what was answered. */
const conversation = ({ answers }: StageContext): ReadonlyArray<Message> =>
  answers.flatMap(({ answer, question }) => [
    { role: "assistant", content: question },
    { role: "user", content: typeof answer === "string" ? answer : JSON.stringify(answer) },
  ])

/** Messages to add after the task, in the order answers, refusal, faults. */
export const corrections = (context: StageContext): ReadonlyArray<Message> => {
  const refusal = refusalOf(context)
  const faults = faultsOf(context)
  return [
    ...conversation(context),
    ...(refusal === ""
      ? []
      : [{ role: "user", content: `Your last answer was refused:\n${refusal}` } as const]),
    ...(faults === ""
      ? []
      : [
          {
            role: "user",
            content: `Your last reply could not be used: ${faults}\nReply with JSON of the required shape only.`,
          } as const,
        ]),
  ]
}
