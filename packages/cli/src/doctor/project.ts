/** What the doctor sees of the project: its files, the plugins they name, providers and secrets. */
import type { Checked } from "@planloom/core"
import type { Provider } from "@planloom/plugin"
import * as Effect from "effect/Effect"
import { bundledPlugins } from "../project/bundledPlugins.ts"
import { projectFiles, workflowFiles } from "../project/projectFiles.ts"
import { plural } from "../terminal/quantity.ts"
import { good, note, trouble, type Finding } from "./Finding.ts"

export const projectFindings: Effect.Effect<ReadonlyArray<Finding>> = Effect.gen(function* () {
  const files = yield* Effect.promise(projectFiles)
  const workflows = yield* Effect.promise(workflowFiles)
  if (workflows.length === 0) {
    return [note("Project", "there are no workflows here", "planloom init writes a project")]
  }
  const { check } = yield* Effect.promise(() => import("@planloom/core"))
  const checked = yield* Effect.forEach(workflows, (path) =>
    check(path, { plugins: bundledPlugins }),
  )
  return [
    good("Project", `${plural(files.length, "file")}, ${plural(workflows.length, "workflow")}`),
    ...checked.map(workflowFinding),
    ...pluginFindings(checked),
    ...(yield* providerFindings(checked)),
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
    good(`Plugin ${name}`, name in bundledPlugins ? "comes with planloom" : "found"),
  )
}

const providerFindings = (checked: ReadonlyArray<Checked>) => {
  const providers = new Map<string, Provider>()
  const aliases: Array<Finding> = []
  for (const { file, workflow } of checked) {
    if (workflow === undefined) continue
    const known = workflow.resources.components.providers
    for (const [id, provider] of known) providers.set(id, provider)
    for (const [alias, { otherwise, try: choices }] of Object.entries(workflow.definition.models)) {
      if (choices.some((choice) => known.has(choice.split("/")[0]!))) continue
      const said = `no plugin brings a provider for ${choices.join(", ")}`
      aliases.push(
        otherwise === "mechanical"
          ? note(`Model ${alias} in ${file}`, `${said}; its stages work mechanically`)
          : trouble(
              `Model ${alias} in ${file}`,
              said,
              "name the provider's package under use.plugins",
            ),
      )
    }
  }
  return Effect.map(
    Effect.forEach([...providers.values()], ({ available, id }) =>
      Effect.map(available ?? Effect.succeed(true as const), (state) =>
        state === true
          ? good(`Provider ${id}`, "can answer")
          : note(`Provider ${id}`, `cannot answer now: ${state}`),
      ),
    ),
    (findings): ReadonlyArray<Finding> => [...findings, ...aliases],
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
