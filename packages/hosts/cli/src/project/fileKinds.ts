/** File kinds that come with the command in addition to the language's own. */
import type { RegisteredFileKind } from "@planloom/language"
import { fileKinds as testingKinds } from "@planloom/testing/kinds"

export const fileKinds: ReadonlyArray<RegisteredFileKind> = [
  ...testingKinds,
  {
    kind: "Vocabulary",
    load: async () => {
      const [{ vocabularyKind }, { pluginFileKind }] = await Promise.all([
        import("@planloom/analyst"),
        import("@planloom/language"),
      ])
      return pluginFileKind(vocabularyKind).load()
    },
  },
]
