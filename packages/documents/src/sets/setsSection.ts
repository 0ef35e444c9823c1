/** The key `libraries` of workflows and of the project file: folders of documents by name. */
import { sectionKind, type SectionKind } from "@planloom/plugin/effect"
import { SECTION, type WrittenSets } from "./readSets.ts"
import { setsSchema } from "./setsSchema.ts"

export const setsSection = (on: "project" | "workflow"): SectionKind =>
  sectionKind<WrittenSets>({
    on,
    key: SECTION,
    summary:
      on === "project"
        ? "Libraries: folders of documents, for every workflow of the project."
        : "Libraries: folders of documents that the workflow searches.",
    schema: setsSchema,
  })
