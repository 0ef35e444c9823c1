/** Implements `planloom runs show --as-example`: prints a run as an entry of a file of examples, or adds it to one. */
import { readFile } from "node:fs/promises"
import { dirname, relative, resolve, sep } from "node:path"
import type { LoadedWorkflow } from "@planloom/core"
import type { Block } from "@planloom/core/internal"
import type { Json, JsonObject, RecordedRun } from "@planloom/plugin/effect"
import * as Effect from "effect/Effect"
import type { Handler } from "../../deferred.ts"
import type { ExitName } from "../../ExitCode.ts"
import { loadOptions } from "../../project/loadOptions.ts"
import { suggestion } from "../../project/nearest.ts"
import { withChecked } from "../../project/withWorkflow.ts"
import { writeText } from "../../project/writeText.ts"
import { problem, usage, type Refused } from "../../Refused.ts"
import { readDefinition } from "../../run/recording.ts"
import { print, say, stderr } from "../../terminal/Screen.ts"
import { oneLine } from "../../terminal/text.ts"
import { withRecorded } from "../withRecorded.ts"

export interface ShowExampleFlags {
  readonly id: string
  readonly stage: string | undefined
  readonly out: string | undefined
  readonly json: boolean
}

/** The example is for the files of now, where it will stand, with no setting. */
const unset = { set: [], env: undefined, flag: [] }

export const showExample: Handler<ShowExampleFlags> = ({ id, json, out, stage }) =>
  withRecorded(id, ({ redacted, whole }) =>
    Effect.gen(function* () {
      if (redacted) {
        return yield* problem("a redacted run has no texts for an example", "export it whole")
      }
      const recorded = yield* whole
      const definition = readDefinition(recorded.definition)
      if (definition === undefined) {
        return yield* problem(`the run ${oneLine(recorded.run)} was recorded without its workflow`)
      }
      return yield* withChecked(definition.file, unset, (workflow, path) =>
        Effect.gen(function* () {
          const chosen = yield* chooseStage(workflow, stage)
          const { entry, note } = yield* scrubbed(recorded, chosen.id, workflow)
          const file = out ?? `${path}.example.yaml`
          const text = yield* textWith(entry, out)
          yield* mustFit(path, chosen, file, text)
          const { toYaml } = yield* Effect.promise(() => import("@planloom/language"))
          if (out !== undefined) yield* writeText(text, out)
          else print(json ? JSON.stringify(entry, null, 2) : toYaml([entry]).trimEnd())
          if (note !== undefined) say(stderr.style.warn(oneLine(note)))
          return "ok" as ExitName
        }),
      )
    }),
  )

interface ExampleStage {
  readonly id: string
  readonly hasExamples: boolean
}

const stagesIn = (block: Block): ReadonlyArray<ExampleStage> =>
  block.nodes.flatMap(({ id, work }) =>
    work.type === "block"
      ? stagesIn(work.block)
      : [{ id, hasExamples: work.examples !== undefined }],
  )

/** The only stage with examples unless one is named. */
const chooseStage = (
  { pipeline }: LoadedWorkflow,
  wanted: string | undefined,
): Effect.Effect<ExampleStage, Refused> => {
  const all = [...stagesIn(pipeline.main), ...stagesIn(pipeline.finally)]
  const candidates = all.filter(({ hasExamples, id }) =>
    wanted === undefined ? hasExamples : id === wanted,
  )
  if (candidates.length === 1) return Effect.succeed(candidates[0]!)
  if (wanted !== undefined) {
    const names = all.map(({ id }) => id)
    return Effect.fail(
      usage(`the workflow has no stage "${oneLine(wanted)}"`, suggestion(wanted, names)),
    )
  }
  return Effect.fail(
    usage(
      candidates.length === 0
        ? "no stage of the workflow has examples: name the one that the example is for"
        : "several stages of the workflow have examples: choose one",
      (candidates.length === 0 ? all : candidates).map(({ id }) => `--stage ${id}`).join("\n"),
    ),
  )
}

/** The record has no secrets and no personal inputs; other personal data is replaced by made-up data. */
const scrubbed = (recorded: RecordedRun, stage: string, { pipeline }: LoadedWorkflow) =>
  Effect.gen(function* () {
    const { exampleOf } = yield* Effect.promise(() => import("./exampleOf.ts"))
    const { withMadeUpData } = yield* Effect.promise(() => import("@planloom/shadow/queue"))
    const found = exampleOf(recorded, stage, pipeline)
    if (typeof found === "string") return yield* problem(oneLine(found))
    const madeUp = yield* withMadeUpData
    return { ...found, entry: madeUp(found.entry) as JsonObject }
  })

/** The file with the entry as its last one. */
const textWith = (entry: JsonObject, out: string | undefined): Effect.Effect<string, Refused> =>
  Effect.gen(function* () {
    const { toYaml, withListItem } = yield* Effect.promise(() => import("@planloom/language"))
    const before =
      out === undefined
        ? undefined
        : yield* Effect.promise(() => readFile(out, "utf8").catch(() => undefined))
    if (before === undefined) {
      return toYaml({ apiVersion: "planloom/v1", kind: "Examples", examples: [entry] })
    }
    return (
      withListItem(before, "examples", entry, () => false) ??
      (yield* problem(`\`examples\` of ${out} is not a list with one item a line`))
    )
  })

/** Fails for an example that `check` would refuse. */
const mustFit = (
  workflow: string,
  { hasExamples, id }: ExampleStage,
  file: string,
  text: string,
): Effect.Effect<void, Refused> =>
  Effect.scoped(
    Effect.gen(function* () {
      const options = yield* loadOptions(unset)
      const { beside } = yield* Effect.promise(() => import("@planloom/language"))
      const { check } = yield* Effect.promise(() => import("@planloom/embed"))
      const name = relative(dirname(resolve(workflow)), resolve(file))
        .split(sep)
        .join("/")
      const uses: Json = hasExamples ? name : { file: name, user: "-" }
      const { diagnostics } = yield* check(workflow, {
        ...options,
        set: [{ path: `stages.${id}.examples${hasExamples ? ".file" : ""}`, value: uses }],
        texts: new Map([...(options.texts ?? []), [beside(workflow, name), text]]),
      })
      const errors = diagnostics.filter(({ severity }) => severity === "error")
      if (errors.length === 0) return
      return yield* problem(
        `the run does not fit as an example of "${id}": ${errors.map(({ message }) => message).join("; ")}`,
        "the workflow has changed since, or the record lacks a personal input: write the example by hand, from planloom runs show",
      )
    }),
  )
