/** `--record` and `--replay` of a session: one cassette per turn (`turn-1`, `turn-2` …) in one folder. */
import { join } from "node:path"
import * as Effect from "effect/Effect"
import type { Cassette } from "@planloom/core"
import type { Refused } from "../Refused.ts"
import { withCassette, type CassetteFlags } from "../run/withCassette.ts"
import type { Loaded } from "../run/recording.ts"

/** Returns the cassette of the next turn; each call starts a turn. */
export type NextCassette = () => Effect.Effect<Cassette | undefined, Refused>

export const turnCassettes = ({ record, replay }: CassetteFlags, loaded: Loaded): NextCassette => {
  let turn = 0
  const folder = (of: string | undefined) =>
    of === undefined ? undefined : join(of, `turn-${turn}`)
  return () =>
    Effect.suspend(() => {
      turn++
      return withCassette(
        { record: folder(record), replay: folder(replay) },
        loaded,
        Effect.succeed,
      )
    })
}
