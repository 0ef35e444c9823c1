/** Messages that ask a model to correct its last answer: a refusal by a later check, issues of its last reply. */
import { isObject } from "@planloom/planning"
import type { Json, Message, StageContext } from "@planloom/plugin/effect"

/** The text of the refusal; empty on the first run of the stage. */
const refusalOf = ({ feedback }: StageContext): string => {
  if (feedback === undefined) return ""
  const refusal = isObject(feedback.output) ? feedback.output.text : undefined
  return typeof refusal === "string" && refusal !== "" ? refusal : feedback.message
}

/** The issues of the last attempt's reply, one per line. */
const replyIssuesOf = ({ previous }: StageContext): string => {
  if (previous?.class !== "invalid_output") return ""
  const issues = isObject(previous.detail) ? previous.detail.issues : undefined
  const lines = Array.isArray(issues)
    ? issues.map((issue: Json) =>
        isObject(issue) ? `- ${String(issue.path)} ${String(issue.message)}` : `- ${String(issue)}`,
      )
    : []
  return [previous.message, ...lines].join("\n")
}

/** The questions the stage has asked the user, with the answers. */
const conversation = ({ answers }: StageContext): ReadonlyArray<Message> =>
  answers.flatMap(({ answer, question }) => [
    { role: "assistant", content: question },
    { role: "user", content: typeof answer === "string" ? answer : JSON.stringify(answer) },
  ])

/** Messages to add after the task, in the order answers, refusal, reply issues. */
export const corrections = (context: StageContext): ReadonlyArray<Message> => {
  const refusal = refusalOf(context)
  const replyIssues = replyIssuesOf(context)
  return [
    ...conversation(context),
    ...(refusal === ""
      ? []
      : [{ role: "user", content: `Your last answer was refused:\n${refusal}` } as const]),
    ...(replyIssues === ""
      ? []
      : [
          {
            role: "user",
            content: `Your last reply could not be used: ${replyIssues}\nReply with JSON of the required shape only.`,
          } as const,
        ]),
  ]
}
