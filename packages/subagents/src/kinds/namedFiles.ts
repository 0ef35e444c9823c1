/** Files of a kind that a subagent's options name. */
import * as Effect from "effect/Effect"
import { StageFailed, type CallContext, type Json } from "@planloom/plugin/effect"

/** All of them without names. Fails with class `invalid_request` for a name that no file has, and without any file. */
export const namedFiles = <File extends { readonly name: string }>(
  kind: string,
  names: ReadonlyArray<string> | undefined,
  files: CallContext["files"],
): Effect.Effect<ReadonlyArray<File>, StageFailed> => {
  const all = files(kind) as ReadonlyArray<Json> as unknown as ReadonlyArray<File>
  const unknown = names?.find((name) => !all.some((one) => one.name === name))
  if (unknown !== undefined || all.length === 0) {
    const known = all.map(({ name }) => name).join(", ") || "none"
    const message = `there is no file of kind ${kind}${unknown === undefined ? "" : ` with the name "${unknown}"`} under \`use.files\`: ${known}`
    return Effect.fail(new StageFailed({ class: "invalid_request", message }))
  }
  return Effect.succeed(all.filter(({ name }) => names?.includes(name) ?? true))
}
