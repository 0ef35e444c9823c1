/** The user of a run: checked against the workflow's `user:`, or rejected. */
import type { JsonObject } from "@planloom/plugin/effect"
import { formatIssues } from "@planloom/schema"
import type { Pipeline } from "../../pipeline/Pipeline.ts"
import { InputsRejected, tooDeepIn } from "../InputsRejected.ts"

/** A run without a user has the empty one, if the workflow's schema accepts it. */
export const userOf = (
  { name, user }: Pick<Pipeline, "name" | "user">,
  given: JsonObject | undefined,
): JsonObject | InputsRejected => {
  const reject = (message: string, issues: InputsRejected["issues"]) =>
    new InputsRejected({ workflow: name, subject: "user", message, issues })
  if (user === undefined) {
    return given === undefined
      ? {}
      : reject(`the workflow "${name}" takes no user; declare it under \`user:\``, [
          { path: "", message: "is not declared" },
        ])
  }
  const deep = tooDeepIn(given ?? {})
  const issues =
    deep.length > 0
      ? deep
      : user.validate(given ?? {}).map(({ message, path }) => ({ path, message }))
  if (issues.length === 0) return given ?? {}
  return reject(
    given === undefined
      ? `the workflow "${name}" declares \`user:\` and needs a user, but none is given`
      : `the user of "${name}" does not fit: ${formatIssues(issues, "the object")}`,
    issues,
  )
}
