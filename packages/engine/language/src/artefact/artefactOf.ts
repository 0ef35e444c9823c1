/** A workflow without errors → its artefact. */
import { hash } from "node:crypto"
import { dirname, relative, sep } from "node:path"
import type { Stage } from "../definition/Definition.ts"
import type { ReadWorkflow, Sources } from "../load/Checked.ts"
import { knownModels } from "../load/knownModels.ts"
import {
  ARTEFACT_VERSION,
  artefactDigest,
  engineVersion,
  fingerprintOf,
  sectionFingerprint,
  type Artefact,
  type ArtefactWorkflow,
} from "./Artefact.ts"

export interface ToBuild {
  readonly workflow: ReadWorkflow
  readonly sources: Sources
  /** Where the artefact will be. */
  readonly folder: string
}

export const artefactOf = async ({ folder, sources, workflow }: ToBuild): Promise<Artefact> => {
  const home = dirname(workflow.origin.path)
  const artefact = plain({
    apiVersion: ARTEFACT_VERSION,
    engine: engineVersion(),
    name: workflow.definition.name,
    sources: [...sources]
      .map(([path, { text }]) => ({
        path: withSlashes(relative(home, path)),
        sha256: hash("sha256", text),
      }))
      .toSorted((a, b) => (a.path < b.path ? -1 : 1)),
    root: withSlashes(relative(folder, home)) || ".",
    roots: workflow.roots.map((root) => withSlashes(relative(home, root)) || "."),
    ...(workflow.keep === undefined ? {} : { keep: workflow.keep }),
    workflow: partOf(workflow, await knownModels()),
  } as const)
  return { ...artefact, digest: artefactDigest(artefact) }
}

/** `plan.0123456789ab.json`: another content has another name. */
export const artefactFileName = ({ digest, name }: Artefact): string =>
  `${name}.${digest.slice(0, 12)}.json`

const partOf = (
  { definition, origin, resources, workflows }: ReadWorkflow,
  known: ReadonlyMap<string, unknown>,
): ArtefactWorkflow => ({
  definition,
  plugins: origin.plugins,
  configs: Object.fromEntries(
    origin.plugins.flatMap((name) =>
      Object.hasOwn(origin.configs, name) ? [[name, origin.configs[name]!]] : [],
    ),
  ),
  kinds: Object.fromEntries(
    [...new Set([...kindsIn(definition.stages), ...kindsIn(definition.finally)])].map((id) => [
      id,
      fingerprintOf(resources.components.stages.get(id)!),
    ]),
  ),
  // A path of this machine: documentation is read beside the catalog.
  catalog: origin.catalog.map(({ docs: _, ...tool }) => tool),
  files: Object.fromEntries(
    [...origin.files].map(([kind, files]) => [
      kind,
      files.map(({ path, value }) => ({
        file: withSlashes(relative(dirname(origin.path), path)),
        value,
      })),
    ]),
  ),
  sections: (resources.pluginSections ?? []).map(({ file, key, on, path, value, variables }) => ({
    on,
    key,
    path,
    value,
    file: withSlashes(relative(dirname(origin.path), file ?? origin.path)),
    fingerprint: sectionFingerprint(variables),
  })),
  prompts: [...resources.prompts.values()].map(({ name, text }) => ({
    name,
    path: definition.prompts[name] ?? name,
    text,
  })),
  examples: Object.fromEntries(
    [...(resources.examples ?? [])].map(([file, { examples }]) => [file, examples]),
  ),
  facts: Object.fromEntries(
    [...(resources.facts ?? [])].filter(
      ([model, facts]) => JSON.stringify(facts) !== JSON.stringify(known.get(model)),
    ),
  ),
  workflows: Object.fromEntries(
    [...workflows].map(([path, inner]) => [path, partOf(inner, known)]),
  ),
})

const kindsIn = (stages: ReadonlyArray<Stage>): ReadonlyArray<string> =>
  stages.flatMap(({ fallback, stages: inner, uses }) => [
    ...(uses === undefined ? [] : [uses]),
    ...(fallback === undefined ? [] : [fallback.uses]),
    ...kindsIn(inner ?? []),
  ])

/** As it will be when it is read. */
const plain = <A>(value: A): A => JSON.parse(JSON.stringify(value)) as A

const withSlashes = (path: string): string => path.replaceAll(sep, "/")
