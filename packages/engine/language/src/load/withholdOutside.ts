/** Removes content of files outside the project from diagnostics, since a workflow may name a file with secrets. */
import { rules } from "../definition/rules/index.ts"
import type { Diagnostic } from "../source/Diagnostic.ts"
import { isOutside } from "./projectFolder.ts"

/** Their messages contain nothing of the file: it cannot be read, or does not apply. */
const withoutText: ReadonlySet<string> = new Set(["PL0001", "PL4034"])

/** Code and position stay; message, help and line may quote the file. Files passed as `texts` belong to the host. */
export const withholdOutside = async (
  diagnostics: ReadonlyArray<Diagnostic>,
  folder: string,
  texts: ReadonlyMap<string, string> = new Map(),
): Promise<ReadonlyArray<Diagnostic>> => {
  const outside = new Map<string, boolean>()
  for (const { file } of diagnostics) {
    if (!outside.has(file)) outside.set(file, !texts.has(file) && (await isOutside(file, folder)))
  }
  return diagnostics.map((one) =>
    outside.get(one.file) === true && one.given === undefined && !withoutText.has(one.code)
      ? withheld(one, folder)
      : one,
  )
}

const withheld = (
  { code, end, file, severity, start }: Diagnostic,
  folder: string,
): Diagnostic => ({
  code,
  severity,
  message: `${rules.find((rule) => rule.code === code)?.title ?? "The file has a problem"}; its text is not shown, because the file is outside ${folder}`,
  file,
  start,
  end,
  withheld: true,
})
