/** A workflow and its inputs → the text of what happened, fit to be kept and compared. */
import * as Effect from "effect/Effect"
import type { RunEvent } from "@planloom/plugin/effect"
import { run } from "@planloom/core"
import type { LoadedWorkflow, RunOptions } from "@planloom/core"
import { withDoubles } from "../workflow/withDoubles.ts"
import { eventsText } from "./eventsText.ts"
import { normaliseEvents } from "./normaliseEvents.ts"
import type { TestGiven } from "../file/WorkflowTest.ts"
import type { Variant } from "../file/Variant.ts"

/**
 * Runs on scripted models and stubbed tools where `given` has them, and gives the normalised events.
 * A failed run has a text, too; inputs that do not fit are a defect of the caller.
 */
export const goldenRun = (
  { pipeline, secrets }: LoadedWorkflow,
  given: Partial<Omit<TestGiven, keyof Variant>>,
  options: RunOptions & { readonly folders?: ReadonlyArray<string> } = {},
): Effect.Effect<string> =>
  Effect.suspend(() => {
    const events: Array<RunEvent> = []
    const { folders = [], ...runOptions } = options
    const whole: TestGiven = { inputs: {}, models: {}, tools: {}, ...given }
    return run(withDoubles(pipeline, whole).pipeline, whole.inputs, {
      secrets,
      ...runOptions,
      onEvent: (event) => events.push(event),
    }).pipe(
      Effect.catchTag("RunFailed", () => Effect.void),
      Effect.orDie,
      Effect.map(() => eventsText(normaliseEvents(events, ...folders))),
    )
  })
