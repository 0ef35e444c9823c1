/** The key `libraries` of workflows and of the project file: folders of documents by name. */
import { sectionKind, type SectionKind } from "@planloom/plugin/effect"
import { servicesIn, SECTION, type WrittenSets } from "./readSets.ts"
import { namesInFiles } from "./sameNames.ts"
import { boundSchema } from "./boundsOf.ts"
import { setsSchema } from "./setsSchema.ts"

/** Of a workflow without users: no field of it can be read. */
const NO_USER = { type: "object", additionalProperties: false } as const

export const setsSection = (on: "project" | "workflow"): SectionKind =>
  sectionKind<WrittenSets>({
    on,
    key: SECTION,
    summary:
      on === "project"
        ? "Libraries: folders of documents, for every workflow of the project."
        : "Libraries: folders of documents that the workflow searches.",
    schema: setsSchema,
    refers: (sets) => servicesIn(sets, []),
    check: namesInFiles,
    expressions: (sets, { inputs = {}, user }) =>
      Object.entries(sets).flatMap(([name, { where = {} }]) =>
        Object.keys(where).map((facet) => ({
          at: [name, "where", facet],
          variables: { user: user ?? NO_USER, inputs },
          result: boundSchema,
        })),
      ),
  })
