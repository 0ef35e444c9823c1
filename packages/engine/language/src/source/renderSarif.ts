/** Renders diagnostics as SARIF 2.1.0 for code-scanning services. */
import type { Diagnostic, Severity } from "./Diagnostic.ts"

/** The parts of a rule that SARIF describes a code by. */
export interface RuleFacts {
  readonly code: string
  readonly slug: string
  readonly severity: Severity
  readonly title: string
  readonly why: string
  readonly fix: string
}

export const renderSarif = (
  diagnostics: ReadonlyArray<Diagnostic>,
  rules: ReadonlyArray<RuleFacts>,
): string => {
  const used = rules.filter(({ code }) => diagnostics.some((one) => one.code === code))
  const log = {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: {
          driver: {
            name: "planloom",
            rules: used.map(({ code, fix, severity, slug, title, why }) => ({
              id: code,
              name: slug,
              shortDescription: { text: title },
              fullDescription: { text: why },
              help: { text: fix },
              defaultConfiguration: { level: severity },
            })),
          },
        },
        columnKind: "utf16CodeUnits",
        results: diagnostics.map((one) => ({
          ruleId: one.code,
          ...indexOf(used, one.code),
          level: one.severity,
          message: { text: said(one) },
          locations: [
            {
              physicalLocation: {
                artifactLocation: { uri: uri(one.file) },
                ...(one.given === undefined ? { region: regionOf(one) } : {}),
              },
            },
          ],
        })),
      },
    ],
  }
  return `${JSON.stringify(log, null, 2)}\n`
}

const said = ({ given, help, message }: Diagnostic): string => {
  const text = given === undefined ? message : `${given}: ${message}`
  return help === undefined ? text : `${text}\n${help}`
}

const regionOf = ({ end, start }: Diagnostic) => ({
  startLine: start.line,
  startColumn: start.col,
  endLine: end.line,
  endColumn: end.col,
})

const indexOf = (
  rules: ReadonlyArray<RuleFacts>,
  code: string,
): { readonly ruleIndex?: number } => {
  const ruleIndex = rules.findIndex((rule) => rule.code === code)
  return ruleIndex === -1 ? {} : { ruleIndex }
}

/** A path as a relative or absolute URI. */
const uri = (path: string): string => {
  const slashed = path.replaceAll("\\", "/")
  return slashed.split("/").map(encodeURIComponent).join("/")
}
