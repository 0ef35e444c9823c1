/** The state of `planloom dev` between edits: calls in memory, watched files, the last run. */
import { mkdtemp, realpath, rm, stat } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Json, JsonObject } from "@planloom/plugin/effect"
import { CallMemory } from "./loop/CallMemory.ts"
import { compareRuns } from "./loop/compareRuns.ts"
import { FileWatch } from "./loop/FileWatch.ts"
import { LocalModules } from "./loop/LocalModules.ts"
import { runEdit, type EditRun } from "./loop/runEdit.ts"
import type { WorkflowInvalid } from "@planloom/embed"
import * as Effect from "effect/Effect"
import type { Scope } from "effect/Scope"
import type { ExitName } from "../ExitCode.ts"
import { loadOptions } from "../project/loadOptions.ts"
import type { WithSources } from "../project/openWorkflow.ts"
import { usage, type Refused } from "../Refused.ts"
import { readInputs } from "../run/inputs.ts"
import { withNamedFiles } from "../run/namedFiles.ts"
import { readUser } from "../run/readUser.ts"
import { exitOf } from "../run/resultText.ts"
import type { DevFlags } from "./DevFlags.ts"
import type { DevScreen } from "./DevScreen.ts"

/** A run with the workflow and the inputs that it was made with. */
export interface LastRun {
  readonly path: string
  readonly loaded: WithSources
  readonly run: EditRun
  readonly user: JsonObject | undefined
}

export class EditLoop {
  readonly flags: DevFlags
  /** Undefined before the first run without errors in the files. */
  last: LastRun | undefined
  private readonly path: string
  private readonly screen: DevScreen
  private readonly workspace: string
  private readonly memory = new CallMemory()
  private readonly answers = new Map<string, Json>()
  private readonly watch = new FileWatch()
  private readonly modules: LocalModules
  private number = 0

  private constructor(
    path: string,
    flags: DevFlags,
    screen: DevScreen,
    workspace: string,
    modules: LocalModules,
  ) {
    this.path = path
    this.flags = flags
    this.screen = screen
    this.workspace = workspace
    this.modules = modules
    this.watch.watch({ files: [path], hasErrors: false })
  }

  /** Files that tools write are deleted when the scope closes. */
  static open(
    path: string,
    flags: DevFlags,
    screen: DevScreen,
  ): Effect.Effect<EditLoop, never, Scope> {
    return Effect.gen(function* () {
      const workspace = yield* Effect.acquireRelease(
        Effect.promise(() => mkdtemp(join(tmpdir(), "planloom-dev-"))),
        (folder) => Effect.promise(() => rm(folder, { recursive: true, force: true })),
      )
      const modules = yield* Effect.acquireRelease(
        Effect.sync(() => new LocalModules()),
        (opened) => Effect.sync(() => opened.close()),
      )
      return new EditLoop(path, flags, screen, workspace, modules)
    })
  }

  /** The files that differ from those of the last load. */
  get saved(): Effect.Effect<ReadonlyArray<string>> {
    return this.watch.next
  }

  /** Runs once and shows it. Problems of the files or the inputs are shown, too. */
  run(cause: {
    readonly saved: ReadonlyArray<string>
    readonly anew?: true
  }): Effect.Effect<ExitName> {
    if (cause.anew === true) {
      this.memory.clear()
      this.answers.clear()
    }
    return Effect.scoped(
      Effect.flatMap(this.load(), ({ loaded, ms }) => this.runLoaded(loaded, ms, cause.saved)),
    ).pipe(
      Effect.catchTag("WorkflowInvalid", (invalid) =>
        Effect.flatMap(this.watching(invalid.sources.keys(), true), () =>
          this.screen.showProblems(invalid),
        ),
      ),
      Effect.catchTag("Refused", (refused) =>
        Effect.sync((): ExitName => {
          this.screen.showRefused(refused)
          return refused.exit
        }),
      ),
    )
  }

  private load(): Effect.Effect<
    { readonly loaded: WithSources; readonly ms: number },
    WorkflowInvalid | Refused,
    Scope
  > {
    return Effect.gen({ self: this }, function* () {
      const began = performance.now()
      this.modules.refresh()
      this.watch.mark()
      const options = yield* loadOptions(this.flags)
      const { load } = yield* Effect.promise(() => import("@planloom/embed"))
      const loaded = yield* Effect.ensuring(
        load(this.path, {
          ...options,
          ...(options.mayLoad === undefined
            ? {}
            : { mayLoad: this.modules.watching(options.mayLoad) }),
        }),
        Effect.sync(() => this.modules.loaded()),
      )
      return { loaded, ms: performance.now() - began }
    })
  }

  private runLoaded(
    given: WithSources,
    load: number,
    saved: ReadonlyArray<string>,
  ): Effect.Effect<ExitName, Refused> {
    return Effect.gen({ self: this }, function* () {
      const { flags, modules, screen } = this
      yield* this.watching(given.sources.keys(), false)
      const { definition } = given
      const inputs = yield* readInputs(definition.name, definition.inputs, flags)
      const user = yield* readUser(given, flags)
      const named = yield* withNamedFiles(given, inputs, flags)
      const files = named.loaded.pipeline.roots.slice(given.pipeline.roots.length)
      yield* this.watching([...given.sources.keys(), ...files], false)
      const shown = yield* screen.begin(definition, saved)
      const run = yield* Effect.ensuring(
        runEdit(
          named.loaded,
          inputs,
          {
            memory: this.memory,
            answers: this.answers,
            code: modules.code,
            version: (plugin) => modules.version(plugin),
            user,
            answer: screen.answer,
            mayWrite: screen.mayWrite,
            workspace: this.workspace,
            onEvent: shown.onEvent,
          },
          new Map([...given.sources].map(([path, { text }]) => [path, text])),
          files,
        ),
        Effect.sync(shown.end),
      ).pipe(Effect.catchTag("InputsRejected", ({ message }) => Effect.fail(usage(message))))
      this.number++
      const edit = {
        workflow: definition.name,
        number: this.number,
        saved,
        result: run.result,
        stages: compareRuns(this.last?.run, run),
        ms: { load, run: run.ms },
      }
      screen.show(edit, yield* Effect.promise(() => timeSince(saved)))
      this.last = { path: this.path, loaded: named.loaded, run, user }
      return exitOf(run.result)
    })
  }

  private watching(files: Iterable<string>, hasErrors: boolean): Effect.Effect<void> {
    return Effect.promise(async () => {
      const all = [...new Set([this.path, ...files, ...this.modules.files, ...this.inputFiles])]
      const real = await Promise.all(all.map((file) => realpath(file).catch(() => file)))
      this.watch.watch({ files: [...new Set(real)], hasErrors })
    })
  }

  /** `--inputs case.json` and `--input text=@file` may be edited, too. */
  private get inputFiles(): ReadonlyArray<string> {
    const { input, inputs } = this.flags
    const named = input.flatMap((one) => /^[^=]+=@(?!@)(.+)$/s.exec(one)?.[1] ?? [])
    return inputs === undefined || inputs === "-" ? named : [inputs, ...named]
  }
}

/** Milliseconds since the last of the files was saved; undefined without one. */
const timeSince = async (saved: ReadonlyArray<string>): Promise<number | undefined> => {
  const times = await Promise.all(
    saved.map(async (path) =>
      stat(path).then(
        ({ mtimeMs }) => mtimeMs,
        () => 0,
      ),
    ),
  )
  const last = Math.max(0, ...times)
  return last === 0 ? undefined : Math.round(Date.now() - last)
}
