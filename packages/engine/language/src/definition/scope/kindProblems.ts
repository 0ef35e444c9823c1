/** Problems that a stage kind finds in a `with` itself. */
import type { JsonObject, StageKind } from "@planloom/plugin/effect"
import type { DocumentPath } from "../Definition.ts"
import { pluginCodeFailed } from "../pluginCodeFailed.ts"
import type { Problem } from "../Problem.ts"

export const kindProblems = (
  kind: StageKind | undefined,
  given: JsonObject,
  path: DocumentPath,
): ReadonlyArray<Problem> => {
  try {
    return (kind?.check?.(given) ?? []).map(({ at, code, fix, message }) => ({
      code,
      message,
      path: [...path, ...at],
      ...(fix === undefined ? {} : { help: fix }),
    }))
  } catch (error) {
    return [{ code: "PL4001", message: pluginCodeFailed(`stage kind "${kind?.id}"`, error), path }]
  }
}
