/** The language of Planloom's files: text to documents, definitions and diagnostics. */
export { explain } from "./definition/explain.ts"
export { rules } from "./definition/rules/index.ts"
export { format } from "./definition/format.ts"
export { report, reportFormats, type ReportFormat, type ReportOptions } from "./source/report.ts"
export { sourceFile, type SourceFile, isSourceFile } from "./source/SourceFile.ts"
export { readSourceFile } from "./source/readSourceFile.ts"
export { switchKind } from "./definition/shape/switch.ts"
export { schemaOf } from "./definition/schemaOf.ts"
export { typesOf } from "./definition/typesOf.ts"
export { artefactDigest } from "./artefact/Artefact.ts"
export { artefactFileName, artefactOf, type ToBuild } from "./artefact/artefactOf.ts"
export type { CheckedFile, Sources, CheckedWorkflow } from "./load/Checked.ts"
export {
  type Diagnostic,
  type Edit,
  hasErrors,
  withoutNotes,
  placeText,
  sortDiagnostics,
  type Position,
  type Span,
} from "./source/Diagnostic.ts"
export { replaced } from "./source/Replacement.ts"
export { checkFile } from "./load/check/checkFile.ts"
export type {
  Definition,
  BreakerPolicy,
  Budget,
  Concurrency,
  Mode,
  RetryPolicy,
  RetryReference,
  Stage,
  ExamplesUse,
  Fallback,
  PromptUse,
  Schedule,
  Compaction,
  SessionDefinition,
  ModelAlias,
  OnCut,
  DocumentPath,
  Flag,
  FlagValue,
} from "./definition/Definition.ts"
export type { LoadedFileKind, LoadOptions, RegisteredFileKind } from "./load/LoadOptions.ts"
export { pluginFileKind } from "./load/FileKinds.ts"
export { checkWorkflow } from "./load/check/checkWorkflow.ts"
export type { LoadDecision, MayLoad, PluginFile } from "./load/plugins/MayLoad.ts"
export { decisionsIn } from "./load/plugins/FolderDecisions.ts"
export type {
  FolderDecisions,
  MayStart,
  MaySend,
  MayTrust,
  NamedClaim,
  NamedProgram,
} from "./load/plugins/FolderDecisions.ts"
export { readProject } from "./load/project.ts"
export { stallTimes } from "./definition/shape/project.ts"
export { projectStore, type FoundStore, type ProjectStore } from "./load/projectStore.ts"
export { projectFolder } from "./load/projectFolder.ts"
export type { Example } from "./definition/Examples.ts"
export type { Past } from "./definition/Past.ts"
export { pastProblems } from "./definition/scope/pastProblems.ts"
export { mapTools } from "./load/tools/ToolRegistry.ts"
export type { ListProblem } from "./load/tools/listTools.ts"
export type { LiveTools, ToolSnapshot } from "./load/tools/liveTools.ts"
export { type ToolRegistry, type RegisteredTool, mergeTools } from "./load/tools/ToolRegistry.ts"
export type { RunResources } from "./definition/Resources.ts"
export { promptModes } from "./definition/promptModes.ts"
export { inputSchema } from "./definition/inputSchema.ts"
export { fromYaml, toYaml, lineOf } from "./source/yamlText.ts"
export { withListItem } from "./source/listItem.ts"
export { locateProblem, type Problem } from "./definition/Problem.ts"
export { type Document, parseDocument } from "./source/Document.ts"
export { contributedBy } from "./load/plugins/contributedBy.ts"
export { beside } from "./source/beside.ts"
export { Reading } from "./load/Reading.ts"
export { ownKinds, decodeAs, decodeValue } from "./definition/decode.ts"
export { codeFrame } from "./source/renderPretty.ts"
