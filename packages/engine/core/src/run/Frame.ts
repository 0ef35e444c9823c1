/** Where stages run: the main workflow, a nested one, an item or an iteration. */
import type { Gate, GiveText, JsonObject } from "@planloom/plugin/effect"
import { languageOf, textGiver, textsIn } from "@planloom/plugin/texts"
import { Ledger } from "../model/limit/Ledger.ts"
import type { Pipeline } from "../pipeline/Pipeline.ts"
import type { RunScope } from "./RunScope.ts"
import type { RunState } from "./RunState.ts"

export interface Frame {
  readonly state: RunState
  readonly pipeline: Pipeline
  /** Empty, or ends with a slash. */
  readonly prefix: string
  readonly scope: RunScope
  readonly budgets: ReadonlyArray<Ledger>
  /** By experiment; filled when the workflow starts. */
  readonly variants: Variants
  /** Of a workflow that a stage of another one runs, also in its blocks. */
  readonly isNested?: true
  /** Of a nested workflow: the gate of the stage that runs it. */
  readonly around?: Gate
}

/** Whether something that is shown may have to pass a gate. */
export const isGated = ({ around, pipeline }: Frame): boolean =>
  pipeline.isGated || around !== undefined

export interface Variants {
  /** Gives the variant; the read is an exposure. */
  [experiment: string]: () => string
}

/** The variants of the experiments that a place of a run is in. */
export const variantIn =
  ({ variants }: Frame) =>
  (experiment: string): string | undefined =>
    Object.hasOwn(variants, experiment) ? variants[experiment]!() : undefined

/** The words of a workflow to the user of the run. */
export const textIn = ({ pipeline, state }: Pick<Frame, "pipeline" | "state">): GiveText =>
  textGiver(pipeline.definition.texts ?? {}, languageOf(state.user))

/** What `rerun` says in a stage that no assertion has sent back. */
const notRerun = { count: 0, message: "" }

const scopeOf = (state: RunState, pipeline: Pipeline, inputs: JsonObject): RunScope => {
  const scope: { -readonly [K in keyof RunScope]: RunScope[K] } = {
    inputs,
    stages: { ...pipeline.notRun },
    run: { id: state.run },
    rerun: notRerun,
  }
  const { definition, session, user } = pipeline
  const { texts } = definition
  if (user !== undefined) scope["user"] = state.user
  if (Object.keys(definition.flags).length > 0) scope["flags"] = pipeline.flags
  if (texts !== undefined) scope["texts"] = textsIn(texts, languageOf(state.user))
  if (session !== undefined) scope["session"] = session.none
  return scope
}

/** The frame of a whole workflow, main or nested; a nested one is in the experiments around it, too. */
export const openFrame = (
  state: RunState,
  pipeline: Pipeline,
  inputs: JsonObject,
  prefix: string,
  outer: ReadonlyArray<Ledger>,
  variants: Variants = {},
  around?: Gate,
): Frame => {
  const { budget, name } = pipeline
  const budgets =
    budget === undefined ? outer : [...outer, new Ledger(budget, `workflow "${name}"`)]
  if (prefix === "") state.priorSpending?.bookLost(budgets)
  const frame: { -readonly [K in keyof Frame]: Frame[K] } = {
    state,
    pipeline,
    prefix,
    scope: scopeOf(state, pipeline, inputs),
    budgets,
    variants: { ...variants },
  }
  if (prefix !== "") frame.isNested = true
  if (around !== undefined) frame.around = around
  return frame
}
