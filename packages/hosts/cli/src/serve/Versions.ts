/** Loaded versions of the served workflows: the plugins of a version stay set up while it is served or a run uses it. */
import type { LoadedWorkflow } from "@planloom/core"
import type { Checked, WorkflowInvalid } from "@planloom/embed"
import type { Json } from "@planloom/plugin/effect"
import type { Ready } from "@planloom/record/worker"
import type { ServedWorkflow } from "@planloom/server"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import type { ReadingFlags } from "../commands/options.ts"
import { openWorkflow } from "../project/openWorkflow.ts"
import { checkPrompt } from "../prompts/checkPrompt.ts"
import { problem, type Refused } from "../Refused.ts"
import { definitionOf } from "../run/recording.ts"
import { telemetryOf } from "../run/telemetry.ts"

/** A workflow with the texts that its files had when it was loaded. */
export interface Version extends ServedWorkflow, Ready, Pick<LoadedWorkflow, "keep"> {
  readonly pipeline: LoadedWorkflow["pipeline"]
  readonly secrets: LoadedWorkflow["secrets"]
  readonly sources: Checked["sources"]
  readonly declared: LoadedWorkflow["resources"]["declared"]
}

interface Open {
  readonly version: Version
  readonly scope: Scope.Closeable
  /** The server, while it starts runs of this version, and the worker, while it executes them. */
  holders: number
}

export class Versions {
  private readonly scope: Scope.Scope
  private readonly flags: ReadingFlags
  private readonly open = new Map<string, Open>()

  /** All versions are released when the scope closes. */
  constructor(scope: Scope.Scope, flags: ReadingFlags) {
    this.scope = scope
    this.flags = flags
  }

  /** Loads what the files contain, and holds it. Returns the same version for texts of which one is in use. */
  load(path: string): Effect.Effect<Version, WorkflowInvalid | Refused> {
    return Effect.gen({ self: this }, function* () {
      const scope = yield* Scope.fork(this.scope)
      const version = yield* this.read(path).pipe(
        Scope.provide(scope),
        Effect.onError((cause) => Scope.close(scope, Exit.failCause(cause))),
      )
      const key = keyOf(version.definition)
      const known = this.open.get(key)
      if (known === undefined) {
        this.open.set(key, { version, scope, holders: 1 })
        return version
      }
      known.holders++
      yield* Scope.close(scope, Exit.void)
      return known.version
    })
  }

  /** The version with this definition, held until the scope closes; undefined if it is not in use. */
  use(definition: Json | undefined): Effect.Effect<Version | undefined, never, Scope.Scope> {
    return Effect.acquireRelease(
      Effect.sync(() => {
        const known = this.open.get(keyOf(definition))
        if (known !== undefined) known.holders++
        return known?.version
      }),
      (version) => (version === undefined ? Effect.void : this.release(version)),
    )
  }

  /** Ends one hold; the last one closes the version. */
  release({ definition }: Version): Effect.Effect<void> {
    return Effect.suspend(() => {
      const key = keyOf(definition)
      const known = this.open.get(key)
      if (known === undefined || --known.holders > 0) return Effect.void
      this.open.delete(key)
      return Scope.close(known.scope, Exit.void)
    })
  }

  private read(path: string): Effect.Effect<Version, WorkflowInvalid | Refused, Scope.Scope> {
    const { flags } = this
    return Effect.gen(function* () {
      const loaded = yield* openWorkflow(path, flags)
      return {
        pipeline: loaded.pipeline,
        secrets: loaded.secrets,
        sources: loaded.sources,
        declared: loaded.resources.declared,
        ...(loaded.keep === undefined ? {} : { keep: loaded.keep }),
        ...(yield* telemetryOf(loaded)),
        definition: definitionOf(flags, loaded),
        ...(yield* webhookSecrets(loaded)),
        ...servedPrompts(path, flags, loaded),
      }
    })
  }
}

/** The environment holds the values of secrets. Refuses a value that is no key. */
const webhookSecrets = ({
  pipeline,
}: LoadedWorkflow): Effect.Effect<Pick<ServedWorkflow, "webhookSecrets">, Refused> =>
  Effect.gen(function* () {
    const found: Array<string> = []
    for (const name of pipeline.triggers?.webhook?.secrets ?? []) {
      const secret = process.env[name]
      if (secret === undefined || secret === "") continue
      const { webhookKey } = yield* Effect.promise(() => import("@planloom/server"))
      const key = webhookKey(secret)
      if (typeof key === "string") {
        return yield* problem(
          `the variable ${name} signs the webhook of ${pipeline.name} and cannot be used: ${key}`,
          "set a longer key, or unset the variable to turn the webhook off",
        )
      }
      found.push(secret)
    }
    return found.length === 0 ? {} : { webhookSecrets: found }
  })

const keyOf = (definition: Json | undefined): string => JSON.stringify(definition) ?? ""

/** An artefact cannot be checked with another text. */
const servedPrompts = (
  path: string,
  flags: ReadingFlags,
  { resources }: LoadedWorkflow,
): Pick<ServedWorkflow, "prompts"> => {
  if (path.endsWith(".json")) return {}
  const files = resources.prompts
  return {
    prompts: {
      files: new Map([...files].map(([name, { text }]) => [name, text])),
      check: (prompt, text) => {
        const file = files.get(prompt)!.path
        return Effect.matchEffect(checkPrompt(path, flags, { prompt, file, text }), {
          onSuccess: ({ issues }) => Effect.succeed(issues),
          onFailure: ({ message }) => Effect.succeed([{ file, line: 1, col: 1, message }]),
        })
      },
    },
  }
}
