/** Workflows from the artefacts that `planloom build` writes: nothing of what reads and checks files is loaded. */
import * as Effect from "effect/Effect"
import type { Scope } from "effect/Scope"
import { openWorkflow, type LoadedWorkflow } from "@planloom/core"
import {
  type Artefact,
  type ArtefactOptions,
  ArtefactRejected,
  bindArtefact,
  parseArtefact,
  readArtefact,
  readArtefactFile,
} from "@planloom/language/artefact"
import { embedded, type EmbeddedWorkflow, type WorkflowTypes } from "./EmbeddedWorkflow.ts"

export { type Artefact, type ArtefactOptions, ArtefactRejected }

/** A path, or what the file holds as JSON: an object that a bundler or a database has read. */
export type ArtefactSource = string | object

/**
 * Loads a workflow that was built. Rejects with `ArtefactRejected`. Plugins are found as from files, from the
 * folder that the artefact names, and flags and secrets are those of today.
 */
export const loadArtefact = <W extends WorkflowTypes = WorkflowTypes>(
  source: ArtefactSource,
  options: ArtefactOptions = {},
): Promise<EmbeddedWorkflow<W>> => embedded<W>(nameOf(source), openArtefact(source, options))

/** The same for applications that use Effect: plugins live as long as the scope. */
export const openArtefact = (
  source: ArtefactSource,
  options: ArtefactOptions = {},
): Effect.Effect<LoadedWorkflow, ArtefactRejected, Scope> =>
  Effect.flatMap(read(source), (artefact) => compiled(artefact, nameOf(source), options, "load"))

/** From text that was read already. `check` reads what plugins declare and sets none of them up. */
export const openArtefactText = (
  text: string,
  path: string,
  options: ArtefactOptions,
  purpose: "check" | "load",
): Effect.Effect<LoadedWorkflow, ArtefactRejected, Scope> =>
  Effect.flatMap(
    trying(() => parseArtefact(text, path)),
    (artefact) => compiled(artefact, path, options, purpose),
  )

const nameOf = (source: ArtefactSource): string =>
  typeof source === "string" ? source : "the artefact"

const read = (source: ArtefactSource): Effect.Effect<Artefact, ArtefactRejected> =>
  trying(() =>
    typeof source === "string" ? readArtefactFile(source) : readArtefact(source, nameOf(source)),
  )

const compiled = (
  artefact: Artefact,
  at: string,
  options: ArtefactOptions,
  purpose: "check" | "load",
): Effect.Effect<LoadedWorkflow, ArtefactRejected, Scope> =>
  Effect.flatMap(bindArtefact({ artefact, at, options, purpose }), (checked) =>
    Effect.flatten(
      Effect.try({
        try: () => openWorkflow(checked, purpose),
        // Total for what was checked: this has been written by something else than `planloom build`.
        catch: (error) =>
          new ArtefactRejected({
            reason: "damaged",
            message: `${at} cannot be run: ${(error as Error).message}`,
          }),
      }),
    ),
  )

/** What is thrown is an `ArtefactRejected`; anything else comes from a value that no build has written. */
const trying = <A>(make: () => A): Effect.Effect<A, ArtefactRejected> =>
  Effect.try({
    try: make,
    catch: (error) =>
      error instanceof ArtefactRejected
        ? error
        : new ArtefactRejected({ reason: "damaged", message: (error as Error).message }),
  })
