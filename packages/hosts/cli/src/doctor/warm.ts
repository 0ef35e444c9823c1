/** Measures the time to the first token of local models. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { Checked } from "@planloom/embed"
import { coldModels, type Cold } from "../chat/warmUp.ts"
import { pluginOptions } from "../project/pluginOptions.ts"
import { good, note, type Finding } from "./Finding.ts"
import { doing } from "../terminal/activity.ts"

/** Measures each model once, even if several workflows use it. */
export const warmFindings = Effect.fnUntraced(function* (
  checked: ReadonlyArray<Checked>,
): Effect.fn.Return<ReadonlyArray<Finding>> {
  const found = new Map<string, Finding>()
  for (const { file, workflow } of checked) {
    if (workflow === undefined) continue
    for (const finding of yield* ofWorkflow(file, found)) found.set(finding.what, finding)
  }
  return found.size === 0
    ? [note("Models", "no workflow uses a local model that is available now")]
    : [...found.values()]
})

/** Sets plugins up as a run does, so that providers have the addresses of their servers. */
const ofWorkflow = (file: string, known: ReadonlyMap<string, Finding>) =>
  Effect.gen(function* () {
    const { load } = yield* Effect.promise(() => import("@planloom/embed"))
    const models = yield* coldModels(yield* load(file, yield* pluginOptions))
    // Sequentially: models that load at the same time slow each other down.
    return yield* Effect.forEach(
      models.filter(({ name }) => !known.has(nameOf(name))),
      timed,
    )
  }).pipe(
    Effect.scoped,
    // A failed setup is already reported with the providers.
    Effect.catch(() => Effect.succeed<ReadonlyArray<Finding>>([])),
  )

const nameOf = (model: string): string => `Model ${model}`

const seconds = (ms: number): string => `${(ms / 1000).toFixed(ms < 10_000 ? 2 : 0)} s`

const timed = ({ name, warm }: Cold): Effect.Effect<Finding> =>
  Effect.gen(function* () {
    doing(`loading the model ${name}`)
    const startedAt = yield* Clock.currentTimeMillis
    yield* warm
    const loaded = yield* Clock.currentTimeMillis
    yield* warm
    const again = yield* Clock.currentTimeMillis
    return good(
      nameOf(name),
      `first token after ${seconds(loaded - startedAt)}, once loaded after ${seconds(again - loaded)}`,
    )
  }).pipe(
    Effect.catch(({ message }) =>
      Effect.succeed(note(nameOf(name), `cannot be loaded: ${message}`)),
    ),
  )
