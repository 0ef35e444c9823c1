/** The file kind `Documents`: libraries of documents that several workflows search. */
import * as Effect from "effect/Effect"
import { boundProblems } from "./boundsOf.ts"
import { fileKind, type FileKind } from "@planloom/plugin/effect"
import { namesInEarlierFiles } from "./sameNames.ts"
import { servicesIn, FILE_KIND, type WrittenSets } from "./readSets.ts"
import { setsSchema } from "./setsSchema.ts"

export const setsKind: FileKind = fileKind<{ readonly libraries: WrittenSets }>({
  kind: FILE_KIND,
  summary: "Libraries: folders of documents that a workflow searches.",
  schema: {
    type: "object",
    properties: {
      name: { type: "string", format: "name", description: "The name of the file." },
      description: { type: "string", description: "What the documents are for." },
      libraries: setsSchema,
    },
    required: ["libraries"],
    additionalProperties: false,
  },
  refers: ({ libraries }) => servicesIn(libraries, ["libraries"]),
  check: ({ libraries }, known) =>
    Effect.succeed([...boundProblems(libraries), ...namesInEarlierFiles(libraries, known)]),
})
