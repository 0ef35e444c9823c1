/** Loads a workflow from its files, or from an artefact of `planloom build`. */
import { readFile } from "node:fs/promises"
import * as Effect from "effect/Effect"
import type { Scope } from "effect/Scope"
import type { LoadedWorkflow } from "@planloom/core"
import type { Checked, WorkflowInvalid } from "@planloom/embed"
import type { ReadingFlags } from "../commands/options.ts"
import { problem, usage, type Refused } from "../Refused.ts"
import { loadOptions } from "./loadOptions.ts"

/** A loaded workflow with the sources of all its files. */
export type WithSources = LoadedWorkflow & Pick<Checked, "sources">

type Texts = ReadonlyMap<string, string>

/** Sets plugins up until the scope closes. `texts` replace files, with their contents at the start of a run. */
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

/** Opens an artefact; returns undefined for any other file. */
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
        `${path} is an artefact: ${flags.env === undefined ? "--set" : "--env"} is fixed by the build`,
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

/** Returns an empty text for an unreadable file, which is reported when it is read as a workflow. */
const textOf = (path: string): Promise<string> => readFile(path, "utf8").catch(() => "")
