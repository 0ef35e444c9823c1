/** The prompt of a stage: its mode, and the expressions in its sections. */
import type { JsonSchema, StageKind } from "@planloom/plugin/effect"
import { containsExpression } from "@planloom/expression"
import type { Diagnostic } from "../../../source/Diagnostic.ts"
import { positionAt, sourceFile } from "../../../source/SourceFile.ts"
import type { DocumentPath, PromptUse } from "../../Definition.ts"
import { ownMember } from "../../ownMember.ts"
import { promptModes, TASK } from "../../promptModes.ts"
import type { PromptFile } from "../../Resources.ts"
import type { Analysis } from "../Analysis.ts"
import type { Examination, Reading } from "./Examination.ts"
import { hasHookAt } from "../hasHookAt.ts"
import { withVariables } from "../withVariables.ts"

interface Walk {
  readonly analysis: Analysis
  readonly examination: Examination
  /** Problems inside of prompt files. */
  readonly elsewhere: Array<Diagnostic>
}

/** A mode that an expression selects must be one that the workflow has. */
export const examineMode = (
  { mode }: PromptUse,
  path: DocumentPath,
  reading: Reading,
  { analysis, examination }: Pick<Walk, "analysis" | "examination">,
): void => {
  if (mode === undefined || !containsExpression(mode)) return
  examination.value(mode, path, reading, {
    schema: {
      type: "string",
      enum: Object.keys(promptModes(analysis.definition, analysis.resources)),
    },
    name: "a prompt mode",
    code: "PL5002",
  })
}

/** The sections of a prompt are checked at the stage that uses them. */
export const examinePrompt = (
  use: PromptUse,
  reading: Reading,
  vars: JsonSchema,
  walk: Walk,
): void => {
  const { definition, resources } = walk.analysis
  const known = promptModes(definition, resources)
  const modes =
    use.mode !== undefined && containsExpression(use.mode)
      ? Object.values(known)
      : [ownMember(known, use.mode ?? "")]
  const names = modes.flatMap((mode) =>
    mode ? mode.sections.map((name) => (name === TASK ? use.use : name)) : [use.use],
  )
  for (const name of new Set(names)) {
    const file = resources.prompts.get(name) ?? resources.sections.get(name)
    if (file)
      walk.elsewhere.push(
        ...promptDiagnostics(
          file,
          withVariables(reading, { vars, tools: namedTools }, walk.analysis),
          walk.examination,
        ),
      )
  }
}

/** What prompts read as `vars`, by the kind of their stage; anything, where a hook may change them. */
export const promptVars = (
  kind: StageKind | undefined,
  stage: DocumentPath,
  { resources }: Analysis,
): JsonSchema =>
  kind === undefined || hasHookAt("pre_assembly", stage, resources) ? true : (kind.vars ?? noVars)

const noVars: JsonSchema = { type: "object", properties: {}, additionalProperties: false }

/** The tools that a prompt may name: `tools.cards({'group': 'rates'})`. */
const namedTools: JsonSchema = {
  type: "array",
  items: {
    type: "object",
    required: ["name", "summary", "effect", "params"],
    properties: {
      name: { type: "string" },
      summary: { type: "string" },
      when_to_use: { type: "string" },
      group: { type: "string" },
      effect: { enum: ["none", "read", "write"] },
      params: { type: "object", additionalProperties: true },
    },
    additionalProperties: false,
  },
}

const promptDiagnostics = (
  file: PromptFile,
  reading: Reading,
  examination: Examination,
): ReadonlyArray<Diagnostic> => {
  const source = sourceFile(file.path, file.text)
  return examination
    .text(file.text, reading)
    .map(({ code, end, fix, help, message, severity, start }) => ({
      code,
      severity: severity ?? "error",
      message,
      file: file.path,
      start: positionAt(source, start),
      end: positionAt(source, end),
      ...(help === undefined ? {} : { help }),
      ...(fix === undefined
        ? {}
        : {
            fix: {
              file: file.path,
              start: positionAt(source, fix.start),
              end: positionAt(source, fix.end),
              text: fix.text,
            },
          }),
    }))
}
