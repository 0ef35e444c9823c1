/** Creates the progress view of a run on a terminal. */
import * as Effect from "effect/Effect"
import type { Definition } from "@planloom/language"
import type { LiveView } from "./LiveView.ts"
import { stderr, stdout } from "../terminal/Screen.ts"

type Stages = ReadonlyArray<Pick<Definition["stages"][number], "id" | "stages">>

/** Returns undefined on a pipe. Without a definition the name column has a default width. */
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

/** Width of the longest stage name with its indent, in cells. */
const longestName = (stages: Stages, depth: number): number =>
  Math.max(
    0,
    ...stages.map((stage) =>
      Math.max(stage.id.length + 3 + depth * 2, longestName(stage.stages ?? [], depth + 1)),
    ),
  )
