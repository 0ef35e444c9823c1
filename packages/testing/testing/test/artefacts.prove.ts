/** A workflow from its artefact is the workflow from its files: bound alike, with the same events and results. */
import { mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, type Scope } from "effect"
import { afterAll, assert, beforeAll, describe, it, vi } from "vitest"
import { definePlugin } from "@planloom/plugin/effect"
import { artefactOf, checkWorkflow, type LoadOptions } from "@planloom/language"
import { memoryJournal, type LoadedWorkflow } from "@planloom/core"
import { load } from "@planloom/embed"
import { openArtefact } from "@planloom/embed/artefact"
import { closeSessions } from "@planloom/tools-data"
import { scriptedProvider } from "../src/double/scriptedProvider.ts"
import { readWorkflowTest } from "../src/file/readWorkflowTest.ts"
import type { TestGiven } from "../src/file/WorkflowTest.ts"
import { asTested } from "../src/file/withVariant.ts"
import { pastOf } from "../src/workflow/pastOf.ts"
import { hermeticRun } from "../src/workflow/hermeticRun.ts"
import { withDoubles } from "../src/workflow/withDoubles.ts"

const built = mkdtempSync(join(tmpdir(), "planloom-artefacts-"))

const scripted = definePlugin({
  id: "scripted",
  summary: "Models that answer from a script.",
  components: { providers: [scriptedProvider([])] },
})

const options: LoadOptions = { extraPlugins: [scripted], modelsOverride: ["scripted/test"] }

// A tool of the device says what time it is: both runs have the same.
beforeAll(() => {
  vi.useFakeTimers({ toFake: ["Date"], now: new Date("2026-11-21T12:00:00Z") })
})

afterAll(async () => {
  vi.useRealTimers()
  await closeSessions()
  rmSync(built, { recursive: true, force: true })
})

/** From its files, and from the JSON that a build writes of them. */
const bothWays = (
  path: string,
  given: LoadOptions,
): Effect.Effect<ReadonlyArray<LoadedWorkflow>, unknown, Scope.Scope> =>
  Effect.gen(function* () {
    const { sources, workflow } = yield* checkWorkflow(path, given, "check")
    const artefact = yield* Effect.promise(() =>
      artefactOf({ workflow: workflow!, sources, folder: built }),
    )
    const { extraPlugins } = options
    return [
      yield* load(path, given),
      yield* openArtefact(JSON.parse(JSON.stringify(artefact)) as object, {
        extraPlugins: extraPlugins!,
        root: join(path, ".."),
      }),
    ]
  })

/** Without keys whose value is undefined, and without what only diagnostics read. */
const content = ({ definition, keep, pipeline, resources, secrets }: LoadedWorkflow): unknown =>
  JSON.parse(
    JSON.stringify({
      definition,
      keep,
      secrets,
      tools: [...pipeline.tools].map(
        ([
          name,
          {
            source,
            timeout,
            tool: { docs: _, ...tool },
          },
        ]) => [name, { tool, timeout, source: source?.id }],
      ),
      inputs: pipeline.inputs.schema,
      facts: [...pipeline.facts],
      files: [...resources.files],
      prompts: [...resources.prompts.values()].map(({ name, text }) => [name, text]),
      examples: [...(resources.examples ?? [])].map(([file, { examples }]) => [file, examples]),
      workflows: [...pipeline.workflows].map(([path, inner]) => [path, inner.definition]),
    }),
  )

/** Without what is of the moment. */
const steady = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (key, inner: unknown) =>
      /^(at|startedAt|finishedAt|ms|durationMs|elapsed|time)$/.test(key) ? undefined : inner,
    ).replaceAll(/planloom-test-\w+/g, "planloom-test"),
  )

const runOf = ({ pipeline, secrets }: LoadedWorkflow, given: TestGiven) =>
  Effect.map(
    hermeticRun(withDoubles(pipeline, given).pipeline, given.inputs, {
      journal: { ...memoryJournal, sleep: () => Effect.void },
      answer: () => Effect.succeed({ approved: true }),
      secrets,
      user: given.user,
      ...pastOf(given.session, pipeline),
    }),
    ({ ended, events }) => ({
      // Slow calls report their progress, and servers may be away; the numbers of the events count those reports.
      events: steady(
        events.flatMap(({ seq: _, ...event }) =>
          event.type === "Progressed" ||
          event.type === "ToolProgressed" ||
          event.type === "ToolListFailed"
            ? []
            : [event],
        ),
      ),
      ended: steady(
        typeof ended === "string" ? ended : { status: ended.status, outputs: ended.outputs },
      ),
    }),
  )

const testFiles = readdirSync("workflows").filter((file) => file.endsWith(".test.yaml"))

describe.each(testFiles)("a workflow of %s", (name) => {
  const file = join("workflows", name)

  it("is bound to the same definition, resources and tools from its artefact", async () => {
    const path = file.replace(".test.yaml", ".yaml")
    const [fromFiles, fromArtefact] = await Effect.runPromise(
      Effect.scoped(Effect.map(bothWays(path, options), (ways) => ways.map(content))),
    )
    assert.deepStrictEqual(fromArtefact, fromFiles)
  })

  it("gives the same events and outputs from its artefact in its first tests", async () => {
    const { test } = await Effect.runPromise(readWorkflowTest(file))
    const chosen = test!.tests
      .filter(
        ({ expect, given }) => expect.diagnostics === undefined && given.cassette === undefined,
      )
      .slice(0, 6)
    assert.isNotEmpty(chosen)
    for (const { given } of chosen) {
      const [fromFiles, fromArtefact] = await Effect.runPromise(
        Effect.scoped(
          Effect.flatMap(
            bothWays(file.replace(".test.yaml", ".yaml"), asTested(options, given)),
            (ways) => Effect.forEach(ways, (loaded) => runOf(loaded, given)),
          ),
        ),
      )
      assert.isNotEmpty(fromFiles!.events)
      assert.deepStrictEqual(fromArtefact, fromFiles)
    }
  })
})
