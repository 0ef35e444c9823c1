/** Whether to run code of the folder, by the command line: ask, trust, or no plugins. A run that was imported is not asked for. */
import { dirname, resolve } from "node:path"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { problem, type Refused } from "../Refused.ts"
import { isWithin } from "./isWithin.ts"
import { trustFolder } from "./trustAnswers.ts"
import { isTrusted } from "./trustedFolders.ts"

/** `imported`: a stranger wrote the definition of the run, and named the folder of its files: trust in that folder says nothing. */
export type TrustChoice = "ask" | "trust" | "no-plugins" | "imported"

export const TrustChoice = Context.Reference<TrustChoice>("@planloom/cli/TrustChoice", {
  defaultValue: () => "ask",
})

/**
 * Loads the workflow of a recorded run: without `--trust`, an imported one has no trusted folder. The store of an untrusted
 * project may have come with it: a run that names a file outside that project is refused.
 */
export const withTrustOf = <A, E, R>(
  { file, imported }: { readonly file: string; readonly imported?: true },
  work: Effect.Effect<A, E, R>,
): Effect.Effect<A, E | Refused, R> =>
  Effect.flatMap(TrustChoice, (choice): Effect.Effect<A, E | Refused, R> => {
    if (choice === "trust") return work
    if (imported === true) {
      return Effect.provideService(work, TrustChoice, choice === "ask" ? "imported" : choice)
    }
    return Effect.flatMap(
      Effect.promise(() => strangeProject(file)),
      (project): Effect.Effect<A, E | Refused, R> =>
        project === undefined
          ? work
          : problem(
              `the run names ${file}, which is outside of the untrusted ${project} that recorded it`,
              "review the run: planloom runs export; --trust loads that file once",
            ),
    )
  })

/** The project of the working folder if it is untrusted and the file is outside of it. */
const strangeProject = async (file: string): Promise<string | undefined> => {
  const project = await trustFolder("")
  if (isWithin(project, await realFolder(file))) return undefined
  return (await isTrusted(project)) ? undefined : project
}

const realFolder = (file: string): Promise<string> =>
  trustFolder(dirname(file)).catch(() => resolve(dirname(file)))
