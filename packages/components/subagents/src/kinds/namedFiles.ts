/** Files of a kind that a subagent's options name. */
import * as Effect from "effect/Effect"
import {
  StageFailed,
  type CallContext,
  type Json,
  type Known,
  type Problem,
} from "@planloom/plugin/effect"

/** Problems of the option `key` that names files of a kind. */
export const unknownFiles = (
  kind: string,
  key: string,
  names: ReadonlyArray<string> = [],
  known: Known,
): ReadonlyArray<Problem> => {
  const code = `${kind.toUpperCase()}001`
  if (known.files(kind).length === 0) {
    const message = `nothing under \`use.files\` is of kind ${kind}`
    return [{ code, message, at: [], fix: "add a file of the kind to `use: { files: [...] }`" }]
  }
  return names.flatMap((id, index) => {
    const at = [key, index]
    return known.has({ to: kind, id, at })
      ? []
      : [{ code, message: `no file under \`use.files\` is the ${kind} "${id}"`, at }]
  })
}

/** Contents of the files of a kind, which its schema has checked. */
export const filesOf = <File>(kind: string, files: CallContext["files"]): ReadonlyArray<File> =>
  files(kind) as ReadonlyArray<Json> as unknown as ReadonlyArray<File>

/** All of them without names. Fails with class `invalid_request` for a name that no file has, and without any file. */
export const namedFiles = <File extends { readonly name: string }>(
  kind: string,
  names: ReadonlyArray<string> | undefined,
  files: CallContext["files"],
): Effect.Effect<ReadonlyArray<File>, StageFailed> => {
  const all = filesOf<File>(kind, files)
  const unknown = names?.find((name) => !all.some((one) => one.name === name))
  if (unknown !== undefined || all.length === 0) {
    const known = all.map(({ name }) => name).join(", ") || "none"
    const message = `there is no file of kind ${kind}${unknown === undefined ? "" : ` with the name "${unknown}"`} under \`use.files\`: ${known}`
    return Effect.fail(new StageFailed({ class: "invalid_request", message }))
  }
  return Effect.succeed(all.filter(({ name }) => names?.includes(name) ?? true))
}
