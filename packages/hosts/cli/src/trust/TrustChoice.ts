/** Whether to run code of the folder, by the command line: ask, trust, or no plugins. A run that was imported is not asked for. */
import { dirname, resolve } from "node:path"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { isWithin } from "./isWithin.ts"
import { trustFolder } from "./trustAnswers.ts"
import { isTrusted } from "./trustedFolders.ts"

/** `imported`: a stranger wrote the definition of the run, and named the folder of its files: trust in that folder says nothing. */
export type TrustChoice = "ask" | "trust" | "no-plugins" | "imported"

export const TrustChoice = Context.Reference<TrustChoice>("@planloom/cli/TrustChoice", {
  defaultValue: () => "ask",
})

/** The start of a run, as its record states it. */
interface Recorded {
  readonly file: string
  readonly flags: { readonly files?: ReadonlyArray<string> }
  readonly imported?: true
}

/**
 * Loads the workflow of a recorded run: without `--trust`, an imported one has no trusted folder. So has a run that names a
 * file outside of an untrusted project: the project's store may have come with it.
 */
export const withTrustOf = <D extends Recorded, A, E, R>(
  definition: D,
  work: (definition: D) => Effect.Effect<A, E, R>,
): Effect.Effect<A, E, R> =>
  Effect.flatMap(TrustChoice, (choice) => {
    const { file, imported } = definition
    if (choice !== "ask") return work(definition)
    const asImported = (given: D) =>
      Effect.provideService(work(given), TrustChoice, "imported" as const)
    if (imported === true) return asImported(definition)
    return Effect.flatMap(
      Effect.promise(() => isStrange(file)),
      (strange) => (strange ? asImported(withoutFiles(definition)) : work(definition)),
    )
  })

/** No person here named the files of such a run. */
const withoutFiles = <D extends Recorded>({ flags: { files: _, ...flags }, ...rest }: D): D =>
  ({ ...rest, flags }) as D

/** Whether a file is outside of the working folder's project, which is untrusted. */
const isStrange = async (file: string): Promise<boolean> => {
  const project = await trustFolder("")
  return !isWithin(project, await realFolder(file)) && !(await isTrusted(project))
}

const realFolder = (file: string): Promise<string> =>
  trustFolder(dirname(file)).catch(() => resolve(dirname(file)))
