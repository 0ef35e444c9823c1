/** Runs the hooks of a point of the prompt: the seam between the assembly and what surrounds it. */
import type { Effect } from "effect/Effect"
import type { Failure, PointId, Points } from "@planloom/plugin/effect"

/** Gives the draft after all transforms of its point; the same draft if none changed it. */
export type PointRunner = <P extends PointId>(
  point: P,
  draft: Points[P]["draft"],
) => Effect<Points[P]["draft"], Failure>
