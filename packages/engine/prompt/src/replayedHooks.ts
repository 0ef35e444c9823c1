/** Applies the changes that hooks made in a run, instead of running the hooks. */
import * as Effect from "effect/Effect"
import * as JsonPatch from "effect/JsonPatch"
import type { Json, RunEvent } from "@planloom/plugin/effect"
import type { PointRunner } from "./PointRunner.ts"

type HookRan = Extract<RunEvent, { readonly type: "HookRan" }>

/** `events` are those of one call: with its patches, `assemblePrompt` gives the prompt of the call. */
export const replayedHooks =
  (events: ReadonlyArray<RunEvent>): PointRunner =>
  (point, draft) => {
    const { id } = draft as { readonly id?: string }
    const patches = events.filter(
      (event): event is HookRan =>
        event.type === "HookRan" && event.point === point && event.of === id,
    )
    return Effect.succeed(
      patches.reduce<Json>(
        (before, { patch = [] }) => JsonPatch.apply(patch, before) as Json,
        draft as unknown as Json,
      ) as unknown as typeof draft,
    )
  }
