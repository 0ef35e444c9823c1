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
): ReadonlyArray<Diagnostic> =>
  found
    .filter(({ severity }) => severity === "error")
    .map((one) => {
      const path = writtenAt(one, variant)
      const { code, help, message } = one
      return path === undefined
        ? { ...one, message: `${message} (${whose})` }
        : locateProblem(document, {
            code,
            message,
            help,
            path: [...at, ...path],
            ...(path.length > 1 ? { spot: "key" as const } : {}),
          })
    })

/** `["flags", "carefull"]`; undefined where the variant does not name what is at fault. */
const writtenAt = (
  { code, given, message }: Diagnostic,
  { env, flags = {}, set = {} }: Partial<Variant>,
): DocumentPath | undefined => {
  if (code === "PL4014" && given === `--env ${env}`) return ["env"]
  if (code === "PL4025" && given?.startsWith("sources.") === true) {
    return ["sources", given.slice("sources.".length)]
  }
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
