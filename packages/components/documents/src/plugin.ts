/** The plugin: the file kind and the sections that declare documents, and the tool that searches them. */
import * as Effect from "effect/Effect"
import { definePlugin } from "@planloom/plugin/effect"
import { citations } from "./cite/citations.ts"
import { cite } from "./cite/cite.ts"
import { search } from "./search/search.ts"
import { setsKind } from "./sets/setsKind.ts"
import { setsSection } from "./sets/setsSection.ts"
import { DocumentTools, listOf } from "./source.ts"

export default definePlugin({
  id: "documents",
  summary: "Search of the documents in folders, by passage.",
  components: {
    stages: [search, cite],
    validators: [citations],
    fileKinds: [setsKind],
    sections: [setsSection("project"), setsSection("workflow")],
  },
  provides: {
    tools: [
      {
        id: "documents",
        tools: [],
        known: (_, declared) => Effect.sync(() => listOf(declared)),
      },
    ],
  },
  setup: (_, { declared }) =>
    Effect.map(
      Effect.acquireRelease(
        Effect.sync(() => new DocumentTools(declared!)),
        (source) => Effect.sync(() => source.close()),
      ),
      (source) => ({ tools: [source] }),
    ),
})
