/** Checks of the project: its files, their plugins, providers and secrets. */
import * as Effect from "effect/Effect"
import type { Checked } from "@planloom/embed"
import type { LoadedWorkflow } from "@planloom/core"
import { bundledPlugins } from "../project/bundledPlugins.ts"
import { missingPackages } from "../project/optionalPackages.ts"
import { pluginOptions } from "../project/pluginOptions.ts"
import { projectFiles, workflowFiles } from "../project/projectFiles.ts"
import { namedValue } from "../project/namedValue.ts"
import { plural } from "../terminal/quantity.ts"
import { good, note, failing, type Finding } from "./Finding.ts"
import { serverFindings, SERVERS } from "./servers.ts"
import { warmFindings } from "./warm.ts"

export const projectFindings = Effect.fnUntraced(function* ({
  warm,
}: {
  /** Whether to request a token from each local model. */
  readonly warm: boolean
}): Effect.fn.Return<ReadonlyArray<Finding>> {
  const files = yield* Effect.promise(projectFiles)
  const workflows = yield* Effect.promise(workflowFiles)
  if (workflows.length === 0) {
    return [note("Project", "found no workflows here", "start a project: planloom init")]
  }
  const { check } = yield* Effect.promise(() => import("@planloom/embed"))
  const options = yield* pluginOptions
  const checked = yield* Effect.forEach(workflows, (path) => check(path, options))
  return [
    good("Project", `${plural(files.length, "file")}, ${plural(workflows.length, "workflow")}`),
    ...checked.map(workflowFinding),
    ...pluginFindings(checked),
    ...sourceFindings(checked),
    ...(yield* serverFindings(checked)),
    ...(yield* providerFindings(checked)),
    ...(warm ? yield* warmFindings(checked) : []),
    ...secretFindings(checked),
  ]
})

const workflowFinding = ({ diagnostics, file }: Checked): Finding => {
  const errors = diagnostics.filter(({ severity }) => severity === "error").length
  const warnings = diagnostics.filter(({ severity }) => severity === "warning").length
  return errors === 0
    ? good(file, warnings === 0 ? "no problems" : plural(warnings, "warning"))
    : failing(file, plural(errors, "error"), `planloom check ${file}`)
}

/** Tool sources that cannot list their tools, once each; servers have findings of their own. */
const sourceFindings = (checked: ReadonlyArray<Checked>): ReadonlyArray<Finding> => {
  const reasons = new Map(
    checked.flatMap(({ workflow }) =>
      (workflow?.pipeline.listProblems ?? []).map(
        ({ reason, source }) => [source, reason] as const,
      ),
    ),
  )
  reasons.delete(SERVERS)
  return [...reasons].map(([source, reason]) => note(`Tool source ${source}`, reason))
}

/** Plugins of workflows without errors; one that cannot be loaded is a diagnostic of its workflows. */
const pluginFindings = (checked: ReadonlyArray<Checked>): ReadonlyArray<Finding> => {
  const names = new Set(checked.flatMap(({ workflow }) => workflow?.definition.use.plugins ?? []))
  const loaded = new Set(checked.flatMap(({ plugins }) => plugins))
  return [...names].map((name) => {
    const what = `Plugin ${name}`
    if (Object.hasOwn(bundledPlugins, name)) {
      const missing = missingPackages(name).join(" ")
      return missing === ""
        ? good(what, "comes with planloom")
        : failing(what, `needs ${missing}, which is not installed`, `npm install ${missing}`)
    }
    return loaded.has(name)
      ? good(what, "loaded")
      : note(what, "not loaded: no workflow uses anything that its manifest declares")
  })
}

/** Reports model aliases without a provider, and whether each provider is available. */
const providerFindings = (checked: ReadonlyArray<Checked>) =>
  Effect.map(
    Effect.forEach(checked, ({ file, workflow }) =>
      workflow === undefined ? Effect.succeed([]) : providerStates(file, workflow),
    ),
    (found): ReadonlyArray<Finding> => {
      const states = new Map(found.flat())
      return [
        ...[...states].map(([id, state]) =>
          state === true
            ? good(`Provider ${id}`, "available")
            : note(`Provider ${id}`, `not available: ${state}`),
        ),
        ...checked.flatMap(aliasFindings),
      ]
    },
  )

/** Availability of the providers that a workflow names. Sets plugins up as a run does, so that providers have their keys. */
const providerStates = (
  file: string,
  { pipeline }: LoadedWorkflow,
): Effect.Effect<ReadonlyArray<readonly [id: string, state: true | string]>> => {
  const named = [...pipeline.models.aliases, ...pipeline.models.stages]
  const ids = new Set(named.flatMap(({ models }) => models.map((name) => name.split("/")[0]!)))
  if (ids.size === 0) return Effect.succeed([])
  return Effect.gen(function* () {
    const { load } = yield* Effect.promise(() => import("@planloom/embed"))
    const { resources } = yield* load(file, yield* pluginOptions)
    const providers = [...ids].flatMap((id) => resources.components.providers.get(id) ?? [])
    return yield* Effect.forEach(providers, ({ available, id }) =>
      Effect.map(
        available ?? Effect.succeed(true as const),
        (state): readonly [string, true | string] => [id, state],
      ),
    )
  }).pipe(
    Effect.scoped,
    // If a plugin cannot be set up, its message is the state of all providers.
    Effect.catch((invalid) =>
      Effect.succeed([...ids].map((id) => [id, invalid.message.split("\n")[0]!] as const)),
    ),
  )
}

const aliasFindings = ({ file, workflow }: Checked): ReadonlyArray<Finding> => {
  if (workflow === undefined) return []
  const known = workflow.resources.components.providers
  return Object.entries(workflow.definition.models).flatMap(
    ([alias, { otherwise, try: choices }]): ReadonlyArray<Finding> => {
      if (choices.some((choice) => known.has(choice.split("/")[0]!))) return []
      const what = `Model ${alias} in ${file}`
      const detail = `no plugin provides ${choices.join(", ")}`
      return otherwise === "mechanical"
        ? [note(what, `${detail}; its stages run without a model`)]
        : [failing(what, detail, "name the provider's package under use.plugins")]
    },
  )
}

/** Reports secrets by name; a value is only checked for presence. */
const secretFindings = (checked: ReadonlyArray<Checked>): ReadonlyArray<Finding> => {
  const names = new Set(checked.flatMap(({ workflow }) => workflow?.definition.secrets ?? []))
  return [...names].map((name) =>
    (namedValue(name) ?? "") === ""
      ? note(`Secret ${name}`, "is not set", `write ${name}=… into .env, or export it`)
      : good(`Secret ${name}`, "is set"),
  )
}
