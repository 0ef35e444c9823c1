/** Reports problems of plugins where the user named them: in the workflow, or in the project's config. */
import { dirname } from "node:path"
import type { Json } from "@planloom/plugin/effect"
import type { Definition, DocumentPath } from "../../definition/Definition.ts"
import { locateProblem } from "../../definition/Problem.ts"
import type { Document } from "../../source/Document.ts"
import type { PluginProblem } from "./PluginRequest.ts"
import type { FoundProject } from "../project.ts"
import type { Reading } from "../Reading.ts"
import { configKey } from "./configKey.ts"

export const reportPluginProblems = (
  reading: Reading,
  document: Document,
  project: FoundProject | undefined,
  definition: Definition,
  pluginProblems: ReadonlyArray<PluginProblem>,
): void => {
  for (const one of pluginProblems) {
    const { code, configPath, help, index, isKey = false, message, severity, stack } = one
    const thrown = stack === undefined ? {} : { stack }
    const name = definition.use.plugins[index]
    const key =
      name === undefined ? undefined : configKey(project, name, dirname(document.file.path))
    const config = key === undefined ? undefined : project?.project.plugins[key]
    const inConfig = configPath !== undefined && project !== undefined && key !== undefined
    reading.diagnostics.push(
      inConfig && config !== undefined
        ? locateProblem(project.document, {
            code,
            message,
            help,
            path: ["plugins", key, ...configPath],
            ...(isKey ? { spot: "key" as const } : {}),
            ...(holdsSecret(config, configPath) ? { secret: true } : {}),
          })
        : locateProblem(document, {
            code,
            message,
            help,
            path: ["use", "plugins", index],
            ...thrown,
            ...(severity === undefined ? {} : { severity }),
          }),
    )
  }
}

/** Whether the value is a URL, which may contain a password or a key. */
const holdsSecret = (config: Json, path: DocumentPath): boolean => {
  let at: unknown = config
  for (const key of path) at = (at as { readonly [key: string | number]: unknown } | null)?.[key]
  return typeof at === "string" && /:\/\/.*[@?]/.test(at)
}
