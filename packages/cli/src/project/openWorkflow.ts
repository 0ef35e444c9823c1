/** A path → a loaded workflow: from its files, or from an artefact that `planloom build` wrote. */
import { readFile } from "node:fs/promises"
import * as Effect from "effect/Effect"
import type { Scope } from "effect/Scope"
import type { LoadedWorkflow } from "@planloom/core"
import type { Checked, WorkflowInvalid } from "@planloom/embed"
import type { ReadingFlags } from "../commands/options.ts"
import { problem, usage, type Refused } from "../Refused.ts"
import { loadOptions } from "./loadOptions.ts"

/** With every file that was read. */
export type WithSources = LoadedWorkflow & Pick<Checked, "sources">

type Texts = ReadonlyMap<string, string>

/** Sets plugins up; they live as long as the scope. `texts` stand for files, as a run began with them. */
export const openWorkflow = (
  path: string,
  flags: ReadingFlags,
  texts?: Texts,
): Effect.Effect<WithSources, WorkflowInvalid | Refused, Scope> =>
  Effect.gen(function* () {
    const artefact = yield* openIfArtefact(path, flags, "load", texts)
    if (artefact !== undefined) return artefact
    const options = yield* loadOptions(flags)
    const { load } = yield* Effect.promise(() => import("@planloom/embed"))
    return yield* load(path, texts === undefined ? options : { ...options, texts })
  })

/** Undefined for a file of another kind. */
export const openIfArtefact = (
  path: string,
  flags: ReadingFlags,
  purpose: "check" | "load",
  texts?: Texts,
): Effect.Effect<WithSources | undefined, Refused, Scope> =>
  Effect.gen(function* () {
    if (!path.endsWith(".json")) return undefined
    const text = texts?.get(path) ?? (yield* Effect.promise(() => textOf(path)))
    const { looksLikeArtefact } = yield* Effect.promise(() => import("@planloom/language/artefact"))
    if (!looksLikeArtefact(text)) return undefined
    if (flags.env !== undefined || flags.set.length > 0) {
      return yield* usage(
        `${path} is an artefact: ${flags.env === undefined ? "--set" : "--env"} is decided by the build`,
        "build it again with the flag, or run the workflow file",
      )
    }
    const options = yield* loadOptions(flags)
    const { openArtefactText } = yield* Effect.promise(() => import("@planloom/embed/artefact"))
    const { sourceFile } = yield* Effect.promise(() => import("@planloom/language"))
    return yield* Effect.matchEffect(openArtefactText(text, path, options, purpose), {
      onFailure: ({ help, message }) => Effect.fail(problem(message, help)),
      onSuccess: (loaded) =>
        Effect.succeed({ ...loaded, sources: new Map([[path, sourceFile(path, text)]]) }),
    })
  })

/** A file that cannot be read is reported by what reads it as a workflow. */
const textOf = (path: string): Promise<string> => readFile(path, "utf8").catch(() => "")
