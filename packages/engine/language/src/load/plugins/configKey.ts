/** Finds the config of a plugin in the project file: by its name, or by its file however the path to it is written. */
import { existsSync } from "node:fs"
import { dirname, isAbsolute, resolve } from "node:path"
import type { JsonObject } from "@planloom/plugin/effect"
import type { FoundProject } from "../project.ts"

/** The key under `plugins` of the project file; `folder` is that of the workflow. Undefined without a config. */
export const configKey = (
  project: FoundProject | undefined,
  name: string,
  folder: string,
): string | undefined => {
  if (project === undefined) return undefined
  const { document, project: declared } = project
  const keys = Object.keys(declared.plugins)
  if (keys.includes(name) || !isFile(name)) return keys.find((key) => key === name)
  const file = resolve(folder, name)
  const root = dirname(document.file.path)
  return keys.find((key) => isFile(key) && resolve(root, key) === file)
}

/** The configs of the project, also by the names that the workflow has for plugins. */
export const configsByName = (
  project: FoundProject | undefined,
  names: ReadonlyArray<string>,
  folder: string,
): { readonly [name: string]: JsonObject } => {
  const configs = project?.project.plugins ?? {}
  const named = names.flatMap((name) => {
    const key = configKey(project, name, folder)
    return key === undefined || key === name ? [] : [[name, configs[key]!] as const]
  })
  return named.length === 0 ? configs : { ...configs, ...Object.fromEntries(named) }
}

/** Keys under `plugins` that name a file which is not there: no plugin reads their configs. */
export const lostConfigs = ({ document, project }: FoundProject): ReadonlyArray<string> =>
  Object.keys(project.plugins).filter(
    (key) => isFile(key) && !existsSync(resolve(dirname(document.file.path), key)),
  )

const isFile = (name: string): boolean => /^\.{1,2}\//.test(name) || isAbsolute(name)
