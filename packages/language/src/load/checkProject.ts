/** Checks the project file, with the sections that its plugins declare in their manifests. */
import { dirname } from "node:path"
import * as Effect from "effect/Effect"
import { decodeProject } from "../definition/decode.ts"
import type { ExtraKey } from "../definition/Shape.ts"
import { sortDiagnostics } from "../source/Diagnostic.ts"
import { declaredPlugin } from "./declaredPlugin.ts"
import type { CheckedFile } from "./Checked.ts"
import type { LoadOptions } from "./LoadOptions.ts"
import { projectManifests } from "./manifests.ts"
import { Reading } from "./Reading.ts"
import { registerSections } from "./SectionKinds.ts"
import { writtenSections } from "./sections.ts"

export const checkProject = (path: string, options: LoadOptions): Effect.Effect<CheckedFile> =>
  Effect.promise(async () => {
    const reading = new Reading(options.texts)
    const document = await reading.document(path)
    const extras: Array<ExtraKey> = []
    const project = document && reading.decoded(decodeProject(document, extras))
    if (document !== undefined && extras.length > 0) {
      const names = Object.keys(project?.plugins ?? {})
      const manifests = await projectManifests(names, dirname(path), options)
      const { kinds } = registerSections(
        manifests.map(({ manifest, name }) => {
          const plugin = declaredPlugin(name, manifest)
          return { name, plugin, components: plugin.components! }
        }),
      )
      reading.diagnostics.push(...writtenSections(document, extras, kinds, []).diagnostics)
    }
    return {
      file: path,
      diagnostics: sortDiagnostics(reading.diagnostics),
      sources: reading.sources,
    }
  })
