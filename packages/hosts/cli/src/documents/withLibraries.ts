/** Libraries that the project, a workflow or a file of libraries declares, for commands about libraries. */
import { DocumentsFailed, Libraries, readSets, type DocumentSet } from "@planloom/documents/manage"
import * as Effect from "effect/Effect"
import type { Scope } from "effect/Scope"
import type { ExitName } from "../ExitCode.ts"
import { suggestion } from "../project/nearest.ts"
import { withDeclarations, type Declaration } from "../project/withDeclarations.ts"
import { problem, Refused } from "../Refused.ts"

/** For a project without libraries. */
export const NO_LIBRARIES =
  "planloom.yaml and workflows/ declare no libraries; --from names another file that does"

/** A library, with what declares it. */
export interface DeclaredSet extends DocumentSet {
  readonly by: Pick<Declaration, "path" | "texts">
}

/** Passes those of the names on, or all, in declared order, and the workflows that are left out; their indexes are closed afterwards. */
export const withLibraries = (
  from: string | undefined,
  names: ReadonlyArray<string>,
  use: (
    sets: ReadonlyArray<DeclaredSet>,
    libraries: Libraries,
    leftOut: ReadonlyArray<string>,
  ) => Effect.Effect<ExitName, Refused, Scope>,
): Effect.Effect<ExitName, Refused> =>
  withDeclarations(
    from,
    {
      what: "libraries",
      plugin: "@planloom/documents",
      // Those of others are found in the workflows that declare their plugins.
      others: ["@planloom/provider-openai", "@planloom/provider-google"],
      fileKind: "Documents",
    },
    (declarations, leftOut) =>
      Effect.gen(function* () {
        // Workflows share the libraries of the project.
        const sets = new Map(
          declarations
            .flatMap(({ declared, ...by }) =>
              [...readSets(declared).values()].map((set): DeclaredSet => ({ ...set, by })),
            )
            .map((set) => [set.index, set]),
        )
        const chosen = yield* named([...sets.values()], names)
        const libraries = yield* Effect.acquireRelease(
          Effect.sync(() => new Libraries()),
          (opened) => Effect.sync(() => opened.close()),
        )
        return yield* use(chosen, libraries, leftOut)
      }),
  )

const named = (
  sets: ReadonlyArray<DeclaredSet>,
  names: ReadonlyArray<string>,
): Effect.Effect<ReadonlyArray<DeclaredSet>, Refused> => {
  const known = [...new Set(sets.map(({ name }) => name))]
  const unknown = names.find((name) => !known.includes(name))
  return unknown === undefined
    ? Effect.succeed(names.length === 0 ? sets : sets.filter(({ name }) => names.includes(name)))
    : Effect.fail(
        problem(
          `no library "${unknown}" is declared`,
          suggestion(unknown, known) ?? "declare one under libraries of planloom.yaml",
        ),
      )
}

/** Work on indexes; a failure of one is a refusal with its sentence. */
export const attempt = <A>(
  work: (signal: AbortSignal) => A | Promise<A>,
): Effect.Effect<A, Refused> =>
  Effect.tryPromise({
    try: async (signal) => work(signal),
    catch: (error) => error,
  }).pipe(
    Effect.catch((error) =>
      error instanceof DocumentsFailed
        ? Effect.fail(new Refused({ exit: "failed", message: error.message }))
        : Effect.die(error),
    ),
  )
