/** What the doctor sees of the models of this machine: how long their first token takes. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { Checked } from "@planloom/embed"
import { coldModels, type Cold } from "../chat/warmUp.ts"
import { pluginOptions } from "../project/pluginOptions.ts"
import { good, note, type Finding } from "./Finding.ts"

/** Each model once, whichever workflows ask it. */
export const warmFindings = Effect.fnUntraced(function* (
  checked: ReadonlyArray<Checked>,
): Effect.fn.Return<ReadonlyArray<Finding>> {
  const found = new Map<string, Finding>()
  for (const { file, workflow } of checked) {
    if (workflow === undefined) continue
    for (const finding of yield* ofWorkflow(file, found)) found.set(finding.what, finding)
  }
  return found.size === 0
    ? [note("Models", "no workflow asks a model of this machine that answers now")]
    : [...found.values()]
})

/** Set up as a run would: only then do providers know where their servers are. */
const ofWorkflow = (file: string, known: ReadonlyMap<string, Finding>) =>
  Effect.gen(function* () {
    const { load } = yield* Effect.promise(() => import("@planloom/embed"))
    const models = yield* coldModels(yield* load(file, yield* pluginOptions))
    // One after the other: two that load at once take each other's time.
    return yield* Effect.forEach(
      models.filter(({ name }) => !known.has(nameOf(name))),
      timed,
    )
  }).pipe(
    Effect.scoped,
    // What keeps a workflow from being set up is told of its providers already.
    Effect.catch(() => Effect.succeed<ReadonlyArray<Finding>>([])),
  )

const nameOf = (model: string): string => `Model ${model}`

const seconds = (ms: number): string => `${(ms / 1000).toFixed(ms < 10_000 ? 2 : 0)} s`

const timed = ({ name, warm }: Cold): Effect.Effect<Finding> =>
  Effect.gen(function* () {
    const began = yield* Clock.currentTimeMillis
    yield* warm
    const loaded = yield* Clock.currentTimeMillis
    yield* warm
    const again = yield* Clock.currentTimeMillis
    return good(
      nameOf(name),
      `first token after ${seconds(loaded - began)}, once loaded after ${seconds(again - loaded)}`,
    )
  }).pipe(
    Effect.catch(({ message }) =>
      Effect.succeed(note(nameOf(name), `cannot be loaded: ${message}`)),
    ),
  )
