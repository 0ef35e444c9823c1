/** What the plugins contribute that workflows and project files name, by their manifests: no code of theirs runs. */
import { dirname } from "node:path"
import type { Json, Manifest } from "@planloom/plugin/effect"
import { isObject } from "@planloom/schema"
import type { LoadOptions } from "../LoadOptions.ts"
import { projectManifests } from "./manifests.ts"
import { Reading } from "../Reading.ts"

/** Of the host's plugins, then of those that the files name; files that cannot be read name none. */
export const contributedBy = async (
  files: ReadonlyArray<string>,
  options: LoadOptions = {},
): Promise<ReadonlyArray<Manifest>> => {
  const reading = new Reading(options.texts)
  const found = await Promise.all(
    files.map(async (file) => {
      const document = await reading.document(file)
      return projectManifests(pluginsIn(document?.value ?? null), dirname(file), options)
    }),
  )
  const host = Object.entries(options.manifests ?? {}).map(([name, manifest]) => ({
    name,
    manifest,
  }))
  return [...new Map([...host, ...found.flat()].map((one) => [one.name, one.manifest])).values()]
}

/** Names under `use.plugins` of a workflow, or under `plugins` of a project file. */
const pluginsIn = (value: Json): ReadonlyArray<string> => {
  if (!isObject(value)) return []
  const { plugins, use } = value
  const listed = isObject(use) && Array.isArray(use["plugins"]) ? use["plugins"] : []
  return [
    ...listed.filter((name: Json) => typeof name === "string"),
    ...(isObject(plugins) ? Object.keys(plugins) : []),
  ]
}
