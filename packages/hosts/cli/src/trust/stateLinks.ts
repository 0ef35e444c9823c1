/** Finds links in the folder that commands write to by default: a repository may bring it, and links lead anywhere. */
import { lstatSync, readdirSync } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import type { Refused } from "../Refused.ts"

const STATE = ".planloom"

/** Refuses a link that leads out of the project, unless it is trusted. Without links it is a look at one folder. */
export const guardState: Effect.Effect<void, Refused> = Effect.suspend(() => {
  const links = linksIn()
  return links.length === 0
    ? Effect.void
    : Effect.flatMap(
        Effect.promise(() => import("./mayWrite.ts")),
        ({ mayWrite }) => Effect.forEach(links, (link) => mayWrite(link), { discard: true }),
      )
})

const linksIn = (): ReadonlyArray<string> => {
  const found = lstatSync(STATE, { throwIfNoEntry: false })
  if (found === undefined) return []
  if (found.isSymbolicLink()) return [STATE]
  if (!found.isDirectory()) return []
  return readdirSync(STATE, { withFileTypes: true })
    .filter((entry) => entry.isSymbolicLink())
    .map(({ name }) => join(STATE, name))
}
