/** Walks a definition in the order in which it runs and examines every expression in it. */
import type { Json, JsonObject, JsonSchema, StageKind } from "@planloom/plugin/effect"
import { literalEntries, unwrapExpression, withTextAt } from "@planloom/expression"
import { noProof } from "@planloom/expression/check"
import type { Proof } from "@planloom/expression/check"
import type { Diagnostic } from "../../../source/Diagnostic.ts"
import type { Definition, DocumentPath, Fallback, Stage } from "../../Definition.ts"
import type { Analysis } from "../Analysis.ts"
import { examineRepeat } from "./examineRepeat.ts"
import { examineReading, examineUnread } from "./examineDocuments.ts"
import { examineMode, examinePrompt, promptVars } from "./examinePrompts.ts"
import { examineTriggers } from "./examineTriggers.ts"
import { examineBranch } from "./examineBranch.ts"
import { closedSchema } from "../closedSchema.ts"
import { inputsAlone } from "../inputsAlone.ts"
import { hasHookAt } from "../hasHookAt.ts"
import { kindProblems } from "../kindProblems.ts"
import { perItem } from "../environment.ts"
import { Examination, knowing } from "./Examination.ts"
import type { Reading } from "./Examination.ts"
import { promptsNamed } from "../uses/promptUses.ts"
import { receivedParts, receiversOf } from "../receiverIssues.ts"
import type { BlockNode, StageNode } from "../StageTree.ts"
import { withVariables } from "../withVariables.ts"
import { pluginCodeFailed } from "../../pluginCodeFailed.ts"

export interface Examined {
  readonly problems: Examination["problems"]
  /** Problems inside of prompt files. */
  readonly elsewhere: ReadonlyArray<Diagnostic>
  readonly references: Examination["references"]
}

export const examine = (analysis: Analysis): Examined => {
  const examination = new Examination(analysis)
  const elsewhere: Array<Diagnostic> = []
  const named = promptsNamed(analysis.tree, analysis.resources)
  const walk: Walk = { analysis, examination, elsewhere, named, read: new Set() }
  examineBlock(analysis.tree.main, noProof, walk)
  examineBlock(analysis.tree.finally, noProof, walk)
  const end: Reading = { environment: analysis.environment({ at: "end" }), proof: noProof }
  examineUnread(end, walk)
  examineSession(analysis.definition, end, examination)
  examineTriggers(analysis.definition, examination)
  for (const [name, { schema, value }] of Object.entries(analysis.definition.outputs)) {
    examination.guarded(value, ["outputs", name, "value"], end, {
      schema,
      name: `the output "${name}"`,
      code: "PL1204",
    })
  }
  return { problems: examination.problems, elsewhere, references: examination.references }
}

const text: JsonSchema = { type: "string" }

const examineSession = (
  { defaults, session }: Definition,
  end: Reading,
  examination: Examination,
): void => {
  if (session === undefined) return
  for (const key of ["request", "assistant"] as const) {
    examination.value(session[key], ["session", key], end, {
      schema: text,
      name: `what a turn keeps of the ${key}`,
      code: "PL1204",
    })
  }
  const { compact } = session
  if (compact?.by === "model" && (compact.model ?? defaults.model) === undefined) {
    examination.problems.push({
      code: "PL0102",
      message: 'the key "model" is missing',
      path: ["session", "compact"],
      spot: "key",
      help: "name the model that summarizes, or a default one: defaults: { model: … }",
    })
  }
  for (const [name, { default: first, schema, value }] of Object.entries(session.state)) {
    const expected = { schema, name: `the state "${name}"`, code: "PL1204" }
    examination.value(first, ["session", "state", name, "default"], end, expected)
    examination.value(value, ["session", "state", name, "value"], end, expected)
  }
}

interface Walk {
  readonly analysis: Analysis
  readonly examination: Examination
  readonly elsewhere: Array<Diagnostic>
  /** Prompts that stage kinds name, by the path of the stage. */
  readonly named: ReadonlyMap<string, ReadonlyArray<string>>
  /** Documents that some stage reads. */
  readonly read: Set<string>
}

/** Facts that the enclosing stages prove hold inside too. */
const examineBlock = (block: BlockNode, proof: Proof, walk: Walk): void => {
  for (const node of block.stages) examineStage(node, proof, walk)
}

const examineStage = (node: StageNode, outer: Proof, walk: Walk): void => {
  const { analysis, examination } = walk
  const { path, stage } = node
  const before: Reading = {
    environment: analysis.environment({ at: "before", node }),
    proof: outer,
  }
  const own =
    stage.if === undefined
      ? noProof
      : examination.condition(stage.if, [...path, "if"], before, stage.if.trim() !== "false")
  const running = knowing(before, own)
  if (stage.for_each) {
    examination.list(stage.for_each.in, [...path, "for_each", "in"], running)
  }
  const each: Reading = {
    ...running,
    environment: perItem(running.environment, analysis, node),
  }
  examineWork(stage, path, each, walk)
  if (stage.examples) {
    examination.value(
      stage.examples.user,
      [...path, "examples", "user"],
      { environment: inputsAlone(running.environment), proof: noProof },
      { schema: text, name: "the user's message", code: "PL1204" },
    )
  }
  if (stage.fallback) examineWork(stage.fallback, [...path, "fallback"], each, walk)
  if (stage.repeat) examination.value(stage.repeat.carry, [...path, "repeat", "carry"], each)
  if (stage.branch) {
    examineBranch(node, each, examination, (inner, proof) => examineStage(inner, proof, walk))
  } else if (node.inner) examineBlock(node.inner, running.proof, walk)
  if (stage.repeat) examineRepeat(node, running.proof, analysis, examination)
  if (stage.assert.length === 0) return
  const after = knowing(
    { environment: analysis.environment({ at: "after", node }), proof: outer },
    own,
  )
  stage.assert.forEach((assertion, index) => {
    const at = [...path, "assert", index]
    examination.condition(assertion.that, [...at, "that"], after)
    if (assertion.message !== undefined) {
      examination.value(assertion.message, [...at, "message"], after)
    }
  })
}

const examineWork = (
  work: Pick<Stage, "uses" | "with" | "prompt"> | Fallback,
  path: DocumentPath,
  around: Reading,
  walk: Walk,
): void =>
  examineReading(path, around, walk, (reading) =>
    examineGiven(work, path, { around, reading }, walk),
  )

/** Keys of the stage that other tools have among those of its work. */
const ofStage = ["model", "timeout", "retry", "on_error"]

const examineGiven = (
  work: Pick<Stage, "uses" | "with" | "prompt"> | Fallback,
  path: DocumentPath,
  /** `around`: of what the stage reads before its documents, and of conditions. */
  { around, reading }: { readonly around: Reading; readonly reading: Reading },
  walk: Walk,
): void => {
  const kind = walk.analysis.resources.components.stages.get(work.uses ?? "")
  const expected = kind && {
    schema: closedSchema(kind.input),
    name: `the stage kind "${kind.id}"`,
    code: "PL4007",
    outer: ofStage,
  }
  // A missing key is reported at `uses` when there is no `with`.
  const at = Object.keys(work.with).length > 0 ? [...path, "with"] : [...path, "uses"]
  let written: Json = work.with
  for (const [key, variables] of Object.entries(conditionsOf(kind, work.with, at, walk))) {
    written = withTextAt(written, key, (condition) => {
      walk.examination.condition(
        condition,
        [...at, ...key.split(".").map((step) => (/^\d+$/.test(step) ? Number(step) : step))],
        withVariables(around, variables, walk.analysis),
      )
      return unwrapExpression(condition)
    })
  }
  walk.examination.problems.push(...kindProblems(kind, work.with, at))
  walk.examination.value(written, at, reading, expected)
  if (kind !== undefined) examineReceived(kind, work.with, at, path, walk)
  const vars = () => promptVars(kind, path, walk.analysis)
  if (work.prompt) {
    examineMode(work.prompt, [...path, "prompt", "mode"], around, walk)
    examinePrompt(work.prompt, reading, vars(), walk)
  }
  for (const use of walk.named.get(path.join("/")) ?? []) {
    examinePrompt({ use, mode: undefined }, reading, vars(), walk)
  }
}

/** Params and inputs that the kind passes on. A hook may still change the params of a call, so their problems are warnings then. */
const examineReceived = (
  kind: StageKind,
  given: JsonObject,
  at: DocumentPath,
  stage: DocumentPath,
  { analysis, examination }: Walk,
): void => {
  const { resources } = analysis
  try {
    const parts = receivedParts(kind, given, receiversOf(resources))
    const isHooked = parts.length > 0 && hasHookAt("before_tool", stage, resources)
    for (const part of parts) {
      const place = Object.hasOwn(given, part.key) ? [...at, part.key] : at
      examination.part(part, place, isHooked ? "warning" : "error")
    }
  } catch (error) {
    examination.problems.push({
      code: "PL4001",
      message: pluginCodeFailed(`stage kind "${kind.id}"`, error),
      path: at,
    })
  }
}

/** Conditions that the kind evaluates itself, with their variables. */
const conditionsOf = (
  kind: StageKind | undefined,
  given: JsonObject,
  path: DocumentPath,
  { examination }: Walk,
): ReturnType<NonNullable<StageKind["conditions"]>> => {
  try {
    return kind?.conditions?.(literalEntries(given), given) ?? {}
  } catch (error) {
    examination.problems.push({
      code: "PL4001",
      message: pluginCodeFailed(`stage kind "${kind?.id}"`, error),
      path,
    })
    return {}
  }
}
