/** A checked definition and what it refers to → the pipeline. Total: what `check` lets through compiles. */
import { compileExpression, compileValue } from "@planloom/expression"
import { below } from "@planloom/plugin/segments"
import { validatorOf } from "@planloom/schema/ajv"
import type {
  Compaction,
  Definition,
  DocumentPath,
  Fallback,
  RetryPolicy,
  RetryReference,
  Stage,
} from "@planloom/language"
import { validateInputs } from "./validateInputs.ts"
import { compileSession } from "./compileSession.ts"
import { summaryKind, summaryStage } from "./summaryStage.ts"
import { earlyOutputs } from "./earlyOutputs.ts"
import { reviewedOutputs } from "./reviewedOutputs.ts"
import { compileEmbedders } from "./compileEmbedders.ts"
import { compileRerankers } from "./compileRerankers.ts"
import { compileIndex } from "./compileIndex.ts"
import { compileKind, defaultsOf, type Bindings } from "./compileKind.ts"
import { reviewerHooks, stageHooks, workflowHooks } from "./compileHooks.ts"
import { compileSections, gateAt } from "./compileSections.ts"
import { compileTriggers } from "./compileTriggers.ts"
import { flagValues, loopBounds } from "./loopBounds.ts"
import { compileLimits } from "../limits.ts"
import type { Block, Node, NodeAssertion, NodePolicy, Pipeline } from "../Pipeline.ts"

export const compile = (definition: Definition, bindings: Bindings): Pipeline => {
  const schema = bindings.inputs
  const main = compileBlock(definition.stages, (index) => ["stages", index], definition, bindings)
  const stageIds = [...idsOf(definition.stages), ...idsOf(definition.finally)]
  const outputs = Object.entries(definition.outputs).map(([name, output]) => ({
    name,
    value: compileValue(output.value),
    source: typeof output.value === "string" ? output.value : JSON.stringify(output.value),
    early: output.early,
    stream: output.stream,
    schema: output.schema,
    validate: validatorOf(output.schema),
  }))
  return {
    name: definition.name,
    definition,
    flags: flagValues(definition),
    inputs: {
      schema,
      defaults: defaultsOf(definition.inputs),
      validate: validateInputs(definition),
    },
    user:
      definition.user === undefined
        ? undefined
        : {
            schema: definition.user,
            validate: validatorOf(definition.user),
          },
    main,
    finally: compileBlock(definition.finally, (index) => ["finally", index], definition, bindings),
    stageIds,
    // A stage that is not reached was skipped.
    notRun: Object.fromEntries(stageIds.map((id) => [id, { outcome: "skipped" }])),
    session:
      definition.session &&
      compileSession(definition.session, (compaction) =>
        summaryBlock(compaction, definition, bindings),
      ),
    triggers: compileTriggers(definition),
    outputs,
    early: earlyOutputs(
      outputs.filter(({ early, stream }) => early || stream),
      main,
    ),
    reviewed: reviewedOutputs(outputs, main),
    timeout: definition.timeout,
    budget: definition.policies.budget,
    concurrency: definition.concurrency,
    tools: bindings.tools,
    liveTools: bindings.liveTools,
    listProblems: bindings.listProblems,
    domains: [...bindings.resources.components.domains.values()],
    subagents: bindings.resources.components.subagents,
    validators: bindings.resources.components.validators,
    gate: gateAt(bindings.resources, []),
    isGated:
      bindings.resources.pluginSections?.some(({ bound }) => bound.gate !== undefined) === true ||
      [...bindings.workflows.values()].some(({ isGated }) => isGated),
    reusesCalls:
      usesIn([...definition.stages, ...definition.finally]).some(
        ({ uses, with: written }) =>
          bindings.resources.components.stages.get(uses)?.reuses?.(written) === true,
      ) || [...bindings.workflows.values()].some(({ reusesCalls }) => reusesCalls),
    sections: compileSections(bindings.resources, []),
    hooks: workflowHooks(bindings.resources),
    events: bindings.resources.events ?? new Map(),
    files: bindings.resources.files,
    index: compileIndex(definition, bindings),
    embedder: compileEmbedders(bindings),
    reranker: compileRerankers(bindings),
    limits: compileLimits(definition),
    models: bindings.models,
    roots: bindings.roots,
    prompts: bindings.prompts,
    documents: new Map(
      Object.entries(definition.documents).map(([name, { field, params, tool }]) => [
        name,
        { tool, params: compileValue(params), field },
      ]),
    ),
    facts: bindings.facts,
    workflows: bindings.workflows,
  }
}

/** No gate reads the summary: only later turns do. */
const summaryBlock = (
  compaction: Compaction,
  definition: Definition,
  bindings: Bindings,
): Block => {
  const { resources } = bindings
  const { components } = resources
  const stages = new Map([...components.stages, [summaryKind.id, summaryKind]])
  const { needs, nodes } = compileBlock(
    [summaryStage(compaction)],
    () => ["session", "compact"],
    definition,
    { ...bindings, resources: { ...resources, components: { ...components, stages } } },
  )
  return { needs, nodes: nodes.map((node) => ({ ...node, gate: undefined })) }
}

/** The kinds that stages use, also inside blocks and as fallbacks. */
const usesIn = (stages: ReadonlyArray<Stage>): ReadonlyArray<Fallback> =>
  stages.flatMap((stage) => [
    ...(stage.uses === undefined ? [] : [{ ...stage, uses: stage.uses }]),
    ...(stage.fallback === undefined ? [] : [stage.fallback]),
    ...usesIn(stage.stages ?? []),
  ])

const idsOf = (stages: ReadonlyArray<Stage>): ReadonlyArray<string> =>
  stages.flatMap((stage) => [stage.id, ...idsOf(stage.stages ?? [])])

const compileBlock = (
  stages: ReadonlyArray<Stage>,
  pathOf: (index: number) => DocumentPath,
  definition: Definition,
  bindings: Bindings,
): Block => {
  const position = new Map(stages.map((stage, index) => [stage.id, index]))
  const graph = stages.some((stage) => stage.needs !== undefined)
  return {
    nodes: stages.map((stage, index) =>
      compileNode(stage, pathOf(index), position, definition, bindings),
    ),
    needs: graph
      ? stages.map((stage) => (stage.needs ?? []).map((id) => position.get(id)!))
      : undefined,
  }
}

const compileNode = (
  stage: Stage,
  path: DocumentPath,
  position: ReadonlyMap<string, number>,
  definition: Definition,
  bindings: Bindings,
): Node => ({
  id: stage.id,
  work:
    stage.stages === undefined
      ? compileKind({ ...stage, uses: stage.uses! }, definition, bindings, stage.id)
      : {
          type: "block",
          block: compileBlock(
            stage.stages,
            (index) => [...path, ...(stage.branch?.cases[index]?.at ?? ["stages", index])],
            definition,
            bindings,
          ),
          branch: stage.branch && {
            on: compileExpression(stage.branch.on),
            cases: stage.branch.cases.map(({ name }) => name),
          },
          repeat:
            stage.repeat === undefined
              ? undefined
              : {
                  carry: compileValue(stage.repeat.carry),
                  until: compileExpression(stage.repeat.until),
                  next: compileValue(stage.repeat.next),
                  ...loopBounds(stage.repeat.max_iterations, definition),
                  onExhausted: stage.repeat.on_exhausted,
                  onRoundError: stage.repeat.on_round_error,
                  onNoNewCall: stage.repeat.on_no_new_call,
                },
        },
  condition: stage.if === undefined ? undefined : compileExpression(stage.if),
  forEach:
    stage.for_each === undefined
      ? undefined
      : {
          in: compileExpression(stage.for_each.in),
          as: stage.for_each.as,
          maxParallel: stage.for_each.max_parallel,
        },
  assertions: stage.assert.map((assertion): NodeAssertion => ({
    that: compileExpression(assertion.that),
    source: assertion.that,
    message: assertion.message === undefined ? undefined : compileValue(assertion.message),
    rerun:
      assertion.on_fail === "fail"
        ? undefined
        : {
            node: position.get(assertion.on_fail.rerun)!,
            id: assertion.on_fail.rerun,
            max: assertion.on_fail.max_reruns,
          },
  })),
  onError: stage.on_error,
  fallback:
    stage.fallback === undefined
      ? undefined
      : compileKind(
          { ...stage.fallback, id: below(stage.id, "fallback", 1), output: stage.output },
          definition,
          bindings,
          stage.id,
        ),
  policy: compilePolicy(stage, definition),
  gate: gateAt(bindings.resources, path) ?? gateAt(bindings.resources, []),
  sections: compileSections(bindings.resources, path),
  hooks: stage.stages === undefined ? stageHooks(bindings.resources, path, stage.id) : undefined,
  reviewerHooks:
    stage.stages === undefined ? reviewerHooks(bindings.resources, path, stage.id) : undefined,
})

const compilePolicy = (stage: Stage, definition: Definition): NodePolicy | undefined => {
  const timeout =
    stage.timeout ?? (stage.stages === undefined ? definition.defaults.timeout : undefined)
  const retries = (
    stage.retry ??
    (stage.stages === undefined ? definition.defaults.retry : undefined) ??
    []
  ).map((reference) => policyOf(reference, definition))
  if (
    timeout === undefined &&
    retries.length === 0 &&
    stage.budget === undefined &&
    stage.concurrency === undefined
  ) {
    return undefined
  }
  const { budget, concurrency } = stage
  const perAttempt = concurrency === undefined && budget?.time === undefined
  return { timeout, retries, budget, concurrency, perAttempt }
}

const policyOf = (reference: RetryReference, definition: Definition): RetryPolicy =>
  typeof reference === "string" ? definition.policies.retry[reference]! : reference
