/** Diagnostics of a workflow read with a file's settings, reported at the lines of that file. */
import type { DocumentPath, Diagnostic, Document } from "@planloom/language"
import { locateProblem } from "@planloom/language"
import type { Variant } from "../file/Variant.ts"

/**
 * Errors only. `at` is the path of the variant in the document. A fault that only shows in the workflow stays at its
 * place there, and says `whose` reading it is.
 */
export const variantDiagnostics = (
  found: ReadonlyArray<Diagnostic>,
  document: Document,
  at: DocumentPath,
  variant: Partial<Variant>,
  whose: string,
  /** Sources that all variants are given, at `given.sources`. */
  shared: Variant["sources"] = {},
): ReadonlyArray<Diagnostic> =>
  found
    .filter(({ severity }) => severity === "error")
    .map((one) => {
      const own = writtenAt(one, variant)
      const source = sourceIn(one)
      const path =
        own !== undefined
          ? [...at, ...own]
          : source !== undefined && Object.hasOwn(shared, source)
            ? ["given", "sources", source]
            : undefined
      const { code, help, message } = one
      return path === undefined
        ? { ...one, message: `${message} (${whose})` }
        : locateProblem(document, {
            code,
            message,
            help,
            path,
            ...(path.at(-1) === "env" ? {} : { spot: "key" as const }),
          })
    })

/** `["flags", "carefull"]`; undefined where the variant does not name what is at fault. */
const writtenAt = (
  one: Diagnostic,
  { env, flags = {}, set = {}, sources = {} }: Partial<Variant>,
): DocumentPath | undefined => {
  const { code, given, message } = one
  if (code === "PL4014" && given === `--env ${env}`) return ["env"]
  const source = sourceIn(one)
  if (source !== undefined && Object.hasOwn(sources, source)) return ["sources", source]
  if (code === "PL4015") {
    const name = Object.keys(flags).find((flag) => given === `--flag ${flag}`)
    return name === undefined ? undefined : ["flags", name]
  }
  if (code === "PL4016") {
    const setting = Object.keys(set).find((path) => message.startsWith(`the setting "${path}" `))
    return setting === undefined ? undefined : ["set", setting]
  }
  return undefined
}

/** The given source that cannot be read as a list. */
const sourceIn = ({ code, given }: Pick<Diagnostic, "code" | "given">): string | undefined =>
  code === "PL4025" && given?.startsWith("sources.") === true
    ? given.slice("sources.".length)
    : undefined
