/** Pins the prompt texts of a host for a run: asked once at its start, recorded, and kept when it is resumed. */
import * as Effect from "effect/Effect"
import {
  StageFailed,
  type Json,
  type JsonObject,
  type Prompts,
  type PromptText,
} from "@planloom/plugin/effect"
import { ofRun } from "@planloom/plugin/segments"
import { ExpressionFailed } from "@planloom/expression"
import type { PromptTable } from "@planloom/prompt"
import type { Pipeline } from "../../pipeline/Pipeline.ts"
import type { RunState } from "../RunState.ts"

/** Fails with class `store` if the texts cannot be had, and with `invalid_request` for a text that does not compile. */
export const pinPrompts = (
  pipeline: Pipeline,
  state: RunState,
  /** Undefined for a run that is resumed: it keeps the texts that it recorded. */
  prompts: Prompts | undefined,
): Effect.Effect<void, StageFailed> =>
  Effect.gen(function* () {
    const pinned = new Map<Pipeline, PromptTable>()
    for (const one of allPipelines(pipeline)) {
      if (Object.keys(one.definition.prompts).length === 0) continue
      const found = yield* recorded(one.name, state, prompts)
      if (found === undefined) continue
      const texts = new Map(
        Object.entries(found).filter(([name]) => one.prompts.named(name) !== undefined),
      )
      if (texts.size === 0) continue
      pinned.set(one, yield* compiled(one, texts))
      const versions = Object.fromEntries([...texts].map(([name, { version }]) => [name, version]))
      state.emit({ type: "PromptsPinned", workflow: one.name, versions })
    }
    state.pinned = pinned
  })

/** The pipeline and those that its stages run, each once. */
const allPipelines = (
  pipeline: Pipeline,
  found: Set<Pipeline> = new Set(),
): ReadonlySet<Pipeline> => {
  if (!found.has(pipeline)) {
    found.add(pipeline)
    for (const inner of pipeline.workflows.values()) allPipelines(inner, found)
  }
  return found
}

type Texts = { readonly [prompt: string]: PromptText }

const recorded = (
  workflow: string,
  { cassette, journal }: RunState,
  prompts: Prompts | undefined,
): Effect.Effect<Texts | undefined, StageFailed> => {
  const name = ofRun("prompts", [workflow])
  if (prompts === undefined) {
    return Effect.map(journal.lookup(name), (known) =>
      known?.ok === true ? (known.value as unknown as Texts) : undefined,
    )
  }
  const asked = Effect.mapError(
    prompts.current(workflow),
    ({ message }) =>
      new StageFailed({ class: "store", message: `the prompts of "${workflow}": ${message}` }),
  ) as unknown as Effect.Effect<JsonObject | undefined, StageFailed>
  const call: Effect.Effect<Json | undefined, StageFailed> =
    cassette === undefined
      ? asked
      : cassette.call(
          { path: "", name, about: { workflow } },
          Effect.map(asked, (found): Json => found ?? {}),
        )
  return Effect.flatMap(call, (found) =>
    found === undefined
      ? Effect.undefined
      : (journal.step(name, Effect.succeed(found)) as unknown as Effect.Effect<Texts>),
  )
}

const compiled = (
  { name: workflow, prompts }: Pipeline,
  texts: ReadonlyMap<string, PromptText>,
): Effect.Effect<PromptTable, StageFailed> =>
  Effect.suspend(() => {
    try {
      return Effect.succeed(prompts.withTexts(texts))
    } catch (error) {
      if (!(error instanceof ExpressionFailed)) throw error
      const message = `a prompt text for "${workflow}" does not compile: ${error.message}`
      return Effect.fail(new StageFailed({ class: "invalid_request", message }))
    }
  })
