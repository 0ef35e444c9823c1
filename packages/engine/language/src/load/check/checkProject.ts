/** Checks the project file, with the sections that its plugins declare and the store that one of them has. */
import { dirname } from "node:path"
import * as Effect from "effect/Effect"
import { decodeProject } from "../../definition/decode.ts"
import type { ExtraKey } from "../../definition/Shape.ts"
import { sortDiagnostics } from "../../source/Diagnostic.ts"
import { locateProblem } from "../../definition/Problem.ts"
import { lostConfigs } from "../plugins/configKey.ts"
import { declaredPlugin } from "../plugins/declaredPlugin.ts"
import type { CheckedFile } from "../Checked.ts"
import type { LoadOptions } from "../LoadOptions.ts"
import { projectManifests } from "../plugins/manifests.ts"
import { chosenStore } from "../projectStore.ts"
import { Reading } from "../Reading.ts"
import { registerSections } from "../SectionKinds.ts"
import { writtenSections } from "../sections.ts"

export const checkProject = (path: string, options: LoadOptions): Effect.Effect<CheckedFile> =>
  Effect.gen(function* () {
    const reading = new Reading(options.texts)
    const document = yield* Effect.promise(() => reading.document(path))
    const extras: Array<ExtraKey> = []
    const project = document && reading.decoded(decodeProject(document, extras))
    if (document !== undefined && extras.length > 0) {
      const names = Object.keys(project?.plugins ?? {})
      const manifests = yield* Effect.promise(() => projectManifests(names, dirname(path), options))
      const { kinds } = registerSections(
        manifests.map(({ manifest, name }) => {
          const plugin = declaredPlugin(name, manifest)
          return { name, plugin, components: plugin.components! }
        }),
      )
      reading.diagnostics.push(...writtenSections(document, extras, kinds, []).diagnostics)
    }
    if (document !== undefined && project !== undefined) {
      for (const key of lostConfigs({ document, project, extras })) {
        reading.diagnostics.push(
          locateProblem(document, {
            code: "PL4011",
            message: `there is no file "${key}", so no plugin reads this config`,
            path: ["plugins", key],
            spot: "key",
            help: "the path starts at the folder of this file",
          }),
        )
      }
    }
    if (document !== undefined && project?.runs?.store !== undefined) {
      yield* chosenStore({ document, project, extras }, dirname(path), options, reading)
    }
    return {
      file: path,
      diagnostics: sortDiagnostics(reading.diagnostics),
      sources: reading.sources,
    }
  })
