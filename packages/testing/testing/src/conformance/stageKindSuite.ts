/** What every stage kind promises, shown on runs of the engine itself. */
import assert from "node:assert/strict"
import * as Effect from "effect/Effect"
import type {
  Ask,
  Components,
  FailureClass,
  Journal,
  Json,
  JsonObject,
  JsonSchema,
  StageKind,
  Strategy,
} from "@planloom/plugin/effect"
import { isObject } from "@planloom/schema"
import { emptyRecording, recordingJournal } from "@planloom/core"
import type { Recording, RunResult } from "@planloom/core"
import { scriptedProvider, type ScriptedProvider } from "../double/scriptedProvider.ts"
import { stubTools, type ListedStub, type StubSource } from "../double/stubTools.ts"
import { normaliseEvents } from "../golden/normaliseEvents.ts"
import { expectStageAsked } from "./declaredAsks.ts"
import {
  deepFrozen,
  expectFits,
  expectId,
  expectObjectSchema,
  expectPlainData,
  expectSchema,
  expectSummary,
} from "./expectations.ts"
import { expectInterruptible } from "./interrupted.ts"
import { runStage, STAGE, withStage } from "./runStage.ts"
import type { SuiteRunner } from "./SuiteRunner.ts"
import type { ScriptedReply } from "../file/WorkflowTest.ts"

export interface StageKindCase {
  readonly name: string
  readonly with: JsonObject
  /** Replies of the stage's model, in order; without, the stage has no model. */
  readonly replies?: ReadonlyArray<ScriptedReply>
  /** Stubs of the tools it can reach. */
  readonly tools?: { readonly [tool: string]: ListedStub }
  /** What else it may use: real tool sources, an index. */
  readonly components?: Components
  /** Paths of plan templates, catalogs and other files the workflow uses. */
  readonly files?: ReadonlyArray<string>
  /** The class it must fail with; without, it must succeed. */
  readonly fails?: FailureClass
  readonly check?: (output: Json) => void
}

/** Registers the tests of one kind. */
export const stageKindSuite = (
  { describe, it }: SuiteRunner,
  kind: StageKind,
  cases: ReadonlyArray<StageKindCase>,
): void => {
  describe(`stage kind ${kind.id}`, () => {
    it("says what it is and what it takes", async () => {
      expectId(kind.id)
      expectSummary(kind.summary, `stage kind ${kind.id}`)
      expectObjectSchema(kind.input, "its input")
      expectSchema(kind.input, "its input")
      if (typeof kind.output !== "function") expectSchema(kind.output, "its output")
      assert.ok(kind.run ?? kind.model ?? kind.mechanical, "it has no strategy")
      assert.ok(
        kind.run === undefined || (kind.model === undefined && kind.mechanical === undefined),
        "it has `run` beside another strategy",
      )
    })

    for (const one of cases) {
      it(one.name, async () => {
        const { events, models, result, tools } = await runCase(kind, one)
        expectOutcome(one, result)
        expectStageAsked(kind, withDefaults(kind, one.with), {
          requests: models?.requests.length ?? 0,
          calls: tools.calls.length,
        })
        expectPlainData(events, "what it emits")
      })
      it(`${one.name}: does the same again`, async () => {
        const first = await runCase(kind, one)
        const second = await runCase(kind, one)
        assert.deepStrictEqual(
          normaliseEvents(second.events, second.folder),
          normaliseEvents(first.events, first.folder),
        )
        assert.deepStrictEqual(second.models?.requests, first.models?.requests)
        assert.deepStrictEqual(second.tools.calls, first.tools.calls)
      })
      it(`${one.name}: does the same from a recording, without a call`, () => replayed(kind, one))
      if ((one.replies ?? []).length > 0 || one.tools !== undefined) {
        it(`${one.name}: stops at once when interrupted`, () => interrupted(kind, one))
      }
    }
  })
}

const expectOutcome = (one: StageKindCase, result: RunResult): void => {
  const stage = result.stages[STAGE]
  if (one.fails !== undefined) {
    assert.equal(stage?.outcome, "failure", "it did not fail")
    assert.equal(stage?.failure?.class, one.fails, stage?.failure?.message)
    expectSummary(stage?.failure?.message.split("\n")[0] ?? "", "its failure")
    return
  }
  assert.equal(stage?.outcome, "success", stage?.failure?.message)
  expectPlainData(stage?.output, "its output")
  one.check?.(stage?.output ?? null)
}

/** The kind with frozen inputs that must have their defaults: writing to one is a defect that the run reports. */
const watched = (kind: StageKind): StageKind => {
  const watch = (strategy: Strategy): Strategy =>
    ((input: Json, context: Parameters<Strategy>[1]) =>
      Effect.suspend(() => {
        for (const name of defaultsOf(kind)) {
          assert.ok(
            Object.hasOwn(input as JsonObject, name),
            `the default of "${name}" is not filled in`,
          )
        }
        expectFits(input, kind.input, "what it is given")
        return (strategy as Strategy<unknown>)(
          deepFrozen(structuredClone(input)),
          withDeclaredSections(kind, context),
        )
      })) as Strategy
  return {
    ...kind,
    ...(kind.run === undefined ? {} : { run: watch(kind.run) }),
    ...(kind.model === undefined ? {} : { model: watch(kind.model) }),
    ...(kind.mechanical === undefined ? {} : { mechanical: watch(kind.mechanical) }),
  }
}

/** Filters of hooks are checked against the sections that a kind declares: a request with another one is a defect. */
const withDeclaredSections = (
  { sections = [] }: StageKind,
  context: Parameters<Strategy>[1],
): Parameters<Strategy>[1] => {
  const { model } = context
  const declared =
    <Rest extends ReadonlyArray<unknown>, Reply>(ask: (asked: Ask, ...rest: Rest) => Reply) =>
    (asked: Ask, ...rest: Rest): Reply => {
      for (const { id } of asked.prompt?.sections ?? []) {
        assert.ok(sections.includes(id), `"${id}" is not among its \`sections\``)
      }
      return ask(asked, ...rest)
    }
  return Object.create(context, {
    model: {
      value: {
        ...model,
        text: declared(model.text),
        json: declared(model.json),
        agent: declared(model.agent),
      },
    },
  }) as Parameters<Strategy>[1]
}

const withDefaults = ({ input }: StageKind, given: JsonObject): JsonObject => ({
  ...Object.fromEntries(
    Object.entries(propertiesOf(input)).flatMap(([name, property]) =>
      isObject(property) && "default" in property ? [[name, property["default"]!]] : [],
    ),
  ),
  ...given,
})

const propertiesOf = (input: JsonSchema): JsonObject =>
  typeof input === "boolean" ? {} : ((input["properties"] ?? {}) as JsonObject)

const defaultsOf = (kind: StageKind): ReadonlyArray<string> => Object.keys(withDefaults(kind, {}))

interface Doubles {
  readonly models: ScriptedProvider | undefined
  readonly tools: StubSource
}

const doublesOf = (one: StageKindCase, silent: boolean): Doubles => ({
  models: one.replies === undefined ? undefined : scriptedProvider(silent ? [] : one.replies),
  tools: stubTools(one.tools ?? {}),
})

const inWorkflow = (kind: StageKind, one: StageKindCase, { models, tools }: Doubles) => ({
  kind: watched(kind),
  with: one.with,
  ...(models === undefined ? {} : { provider: models }),
  components: {
    ...one.components,
    tools: [...(one.components?.tools ?? []), ...(one.tools === undefined ? [] : [tools])],
  },
  ...(one.files === undefined ? {} : { files: one.files }),
})

const runCase = async (
  kind: StageKind,
  one: StageKindCase,
  journal = emptyRecording(),
  silent = false,
) => {
  const doubles = doublesOf(one, silent)
  const before = journal.events.length
  const ended = await Effect.runPromise(
    withStage(inWorkflow(kind, one, doubles), (loaded, folder) =>
      Effect.map(runStage(loaded, folder, { journal: endingIn(journal) }), (result) => ({
        result,
        folder,
      })),
    ),
  )
  return { ...doubles, ...ended, events: journal.events.slice(before) }
}

/** An unanswered question ends the case: it is what the case expects, or it is not. */
const endingIn = (recording: Recording): Journal => ({
  ...recordingJournal(recording),
  lasting: false,
})

/**
 * As after a crash in the last moment: every call is recorded, the ends of the stages are not, so that
 * the kind's own code runs again on recorded answers.
 */
const replayed = async (kind: StageKind, one: StageKindCase): Promise<void> => {
  const recording = emptyRecording()
  const first = await runCase(kind, one, recording)
  const stages = new Set(
    recording.events.flatMap((event) => (event.type === "StageStarted" ? [event.path] : [])),
  )
  for (const name of recording.steps.keys())
    if (stages.has(name.replace(strategyAttempt, ""))) recording.steps.delete(name)
  const again = await runCase(kind, one, recording, true)
  assert.deepStrictEqual(again.models?.requests ?? [], [], "it asked a model outside the journal")
  assert.deepStrictEqual(again.tools.calls, [], "it called a tool outside the journal")
  assert.deepStrictEqual(
    normaliseEvents(again.events, again.folder),
    normaliseEvents(first.events, first.folder),
    "it did otherwise",
  )
}

/** The engine names an attempt as a whole after its stage: `probe`, `probe/model:1`, `probe/run:2`. */
const strategyAttempt = /\/(model|mechanical|run):\d+$/

/** Interrupted at its first question to a model or a tool, which is never answered. */
const interrupted = async (kind: StageKind, one: StageKindCase): Promise<void> => {
  const { promise: started, resolve: start } = Promise.withResolvers<void>()
  const hangs = Effect.andThen(Effect.sync(start), Effect.never)
  const doubles = doublesOf(one, true)
  const stage = inWorkflow(kind, one, {
    models: doubles.models && { ...doubles.models, generate: () => hangs },
    tools: { ...doubles.tools, call: () => hangs },
  })
  const work = withStage(stage, (loaded, folder) =>
    Effect.andThen(runStage(loaded, folder), Effect.sync(start)).pipe(Effect.andThen(Effect.never)),
  )
  await expectInterruptible(work, started, `stage kind ${kind.id}`)
}
