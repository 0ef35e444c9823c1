/** What the doctor sees of the project: its files, the plugins they name, providers and secrets. */
import * as Effect from "effect/Effect"
import type { Checked } from "@planloom/embed"
import type { LoadedWorkflow } from "@planloom/core"
import { bundledPlugins } from "../project/bundledPlugins.ts"
import { pluginOptions } from "../project/pluginOptions.ts"
import { projectFiles, workflowFiles } from "../project/projectFiles.ts"
import { plural } from "../terminal/quantity.ts"
import { good, note, trouble, type Finding } from "./Finding.ts"
import { warmFindings } from "./warm.ts"

export const projectFindings = Effect.fnUntraced(function* ({
  warm,
}: {
  /** Models of this machine are asked for a token. */
  readonly warm: boolean
}): Effect.fn.Return<ReadonlyArray<Finding>> {
  const files = yield* Effect.promise(projectFiles)
  const workflows = yield* Effect.promise(workflowFiles)
  if (workflows.length === 0) {
    return [note("Project", "there are no workflows here", "planloom init writes a project")]
  }
  const { check } = yield* Effect.promise(() => import("@planloom/embed"))
  const options = yield* pluginOptions
  const checked = yield* Effect.forEach(workflows, (path) => check(path, options))
  return [
    good("Project", `${plural(files.length, "file")}, ${plural(workflows.length, "workflow")}`),
    ...checked.map(workflowFinding),
    ...pluginFindings(checked),
    ...(yield* providerFindings(checked)),
    ...(warm ? yield* warmFindings(checked) : []),
    ...secretFindings(checked),
  ]
})

const workflowFinding = ({ diagnostics, file }: Checked): Finding => {
  const errors = diagnostics.filter(({ severity }) => severity === "error").length
  return errors === 0
    ? good(file, diagnostics.length === 0 ? "no problems" : plural(diagnostics.length, "warning"))
    : trouble(file, plural(errors, "error"), `planloom check ${file}`)
}

/** Plugins that cannot be loaded are diagnostics of the workflows that name them. */
const pluginFindings = (checked: ReadonlyArray<Checked>): ReadonlyArray<Finding> => {
  const names = new Set(checked.flatMap(({ workflow }) => workflow?.definition.use.plugins ?? []))
  return [...names].map((name) =>
    good(`Plugin ${name}`, Object.hasOwn(bundledPlugins, name) ? "comes with planloom" : "found"),
  )
}

/** Aliases that no provider serves, and whether the providers that are asked for can answer now. */
const providerFindings = (checked: ReadonlyArray<Checked>) =>
  Effect.map(
    Effect.forEach(checked, ({ file, workflow }) =>
      workflow === undefined ? Effect.succeed([]) : asked(file, workflow),
    ),
    (found): ReadonlyArray<Finding> => {
      const states = new Map(found.flat())
      return [
        ...[...states].map(([id, state]) =>
          state === true
            ? good(`Provider ${id}`, "can answer")
            : note(`Provider ${id}`, `cannot answer now: ${state}`),
        ),
        ...checked.flatMap(aliasFindings),
      ]
    },
  )

/** The providers that a workflow's models name, set up as a run would, for they then know their keys. */
const asked = (
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
    // A plugin that cannot be set up says why in the run's own words.
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
      const said = `no plugin brings a provider for ${choices.join(", ")}`
      return otherwise === "mechanical"
        ? [note(what, `${said}; its stages work mechanically`)]
        : [trouble(what, said, "name the provider's package under use.plugins")]
    },
  )
}

/** By name; a value is never looked at beyond whether it is there. */
const secretFindings = (checked: ReadonlyArray<Checked>): ReadonlyArray<Finding> => {
  const names = new Set(checked.flatMap(({ workflow }) => workflow?.definition.secrets ?? []))
  return [...names].map((name) =>
    (process.env[name] ?? "") === ""
      ? note(`Secret ${name}`, "is not set", `export ${name}=… before you run`)
      : good(`Secret ${name}`, "is set"),
  )
}
