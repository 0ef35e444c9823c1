/** The progress view of a run, where somebody looks. */
import * as Effect from "effect/Effect"
import type { Definition } from "@planloom/language"
import type { LiveView } from "./LiveView.ts"
import { stderr, stdout } from "../terminal/Screen.ts"

type Stages = ReadonlyArray<Pick<Definition["stages"][number], "id" | "stages">>

/** Undefined on a pipe. Without a definition room is left for names of a usual length. */
export const viewOf = (
  definition: { readonly stages: Stages } | undefined,
): Effect.Effect<LiveView | undefined> =>
  stdout.live && stderr.live
    ? Effect.promise(async () => {
        const { LiveView } = await import("./LiveView.ts")
        return new LiveView(
          stderr,
          definition === undefined ? 20 : longestName(definition.stages, 0),
          Date.now,
        )
      })
    : Effect.undefined

/** Cells that the longest name of a stage takes, indented as the view shows it. */
const longestName = (stages: Stages, depth: number): number =>
  Math.max(
    0,
    ...stages.map((stage) =>
      Math.max(stage.id.length + 3 + depth * 2, longestName(stage.stages ?? [], depth + 1)),
    ),
  )
