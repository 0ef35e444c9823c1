/** The engine on one page: a path → everything known without running it → a pipeline → a run. */
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import type { Scope } from "effect/Scope"
import type { CheckedFile, Sources, Diagnostic, LoadOptions } from "@planloom/language"
import { checkWorkflow, hasErrors, placeText, projectStore as findStore } from "@planloom/language"
import type { RunStore, StoreFailed } from "@planloom/plugin/effect"
import { openWorkflow } from "@planloom/core"
import type { LoadedWorkflow } from "@planloom/core"

/** Everything that `check` finds. */
export interface Checked extends CheckedFile {
  /** Undefined when there is an error. */
  readonly workflow: LoadedWorkflow | undefined
  /** Declared plugins whose code was imported: those of which the workflow uses something. Empty when there is an error. */
  readonly plugins: ReadonlyArray<string>
}

interface Invalid {
  readonly message: string
  readonly diagnostics: ReadonlyArray<Diagnostic>
  readonly sources: Sources
}

/** An uncaught error is printed with what it holds: not with the texts of all files. */
const hide = (error: object, sources: Sources): void => {
  Object.defineProperty(error, "sources", { value: sources, enumerable: false })
}

/** The workflow has errors; `diagnostics` are all of them, `sources` the files they are in. */
export class WorkflowInvalid extends Data.TaggedError("WorkflowInvalid")<Omit<Invalid, "sources">> {
  declare readonly sources: Sources

  constructor({ sources, ...given }: Invalid) {
    super(given)
    hide(this, sources)
  }
}

/** The project's choice of a store cannot be used; `diagnostics` say why. */
export class StoreInvalid extends Data.TaggedError("StoreInvalid")<Omit<Invalid, "sources">> {
  declare readonly sources: Sources

  constructor({ sources, ...given }: Invalid) {
    super(given)
    hide(this, sources)
  }
}

/** Everything that can be known without running. Imports the declared plugins, sets none of them up. */
export const check = (path: string, options: LoadOptions = {}): Effect.Effect<Checked> =>
  Effect.scoped(
    Effect.flatMap(checkWorkflow(path, options, "check"), ({ workflow, ...found }) =>
      Effect.map(
        workflow === undefined ? Effect.undefined : openWorkflow(workflow, "check"),
        (compiled) => ({
          ...found,
          plugins: workflow?.origin.plugins ?? [],
          workflow: compiled,
        }),
      ),
    ),
  )

/**
 * Checks the workflow and sets its plugins up; they live as long as the scope. Loaded again with the texts
 * of `sources` (`LoadOptions.texts`), it is the same workflow whatever has become of its files.
 */
export const load = (
  path: string,
  options: LoadOptions = {},
): Effect.Effect<LoadedWorkflow & { readonly sources: Sources }, WorkflowInvalid, Scope> =>
  Effect.flatMap(checkWorkflow(path, options, "load"), ({ diagnostics, sources, workflow }) =>
    workflow === undefined || hasErrors(diagnostics)
      ? Effect.fail(
          new WorkflowInvalid({
            message: summary(path, diagnostics),
            diagnostics,
            sources,
          }),
        )
      : Effect.map(openWorkflow(workflow, "load"), (compiled) => ({ ...compiled, sources })),
  )

/** Opens the store that `planloom.yaml` at or above a folder chooses; closing the scope releases its plugin. */
export const projectStore = (
  folder: string,
  options: LoadOptions = {},
): Effect.Effect<RunStore, StoreInvalid | StoreFailed, Scope> =>
  Effect.flatMap(
    findStore(folder, options),
    ({ diagnostics, sources, store }): Effect.Effect<RunStore, StoreInvalid | StoreFailed, Scope> =>
      store === undefined
        ? Effect.fail(
            new StoreInvalid({
              message:
                diagnostics.length === 0
                  ? `no plugin of ${folder} or of the host has a store`
                  : summary(folder, diagnostics),
              diagnostics,
              sources,
            }),
          )
        : store.open,
  )

const summary = (path: string, diagnostics: ReadonlyArray<Diagnostic>): string => {
  const errors = diagnostics.filter(({ severity }) => severity === "error")
  const first = errors[0]
  const where = first === undefined ? "" : `: ${placeText(first)} ${first.message}`
  return `${path} has ${errors.length} ${errors.length === 1 ? "error" : "errors"}${where}`
}
