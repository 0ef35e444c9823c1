/** The key `hooks` of a workflow or a stage: hooks of plugins, with their options and conditions. */
import { sectionKind, type SectionKind } from "@planloom/plugin/effect"
import { boundUses, hookUsesSchema, type WrittenUse } from "./HookUses.ts"

export const hooksSection = (on: "workflow" | "stage"): SectionKind =>
  sectionKind<ReadonlyArray<WrittenUse>>({
    on,
    key: "hooks",
    summary:
      on === "workflow"
        ? "Hooks that run in every stage, before responses and after the run."
        : "Hooks that run in this stage and the stages inside it.",
    schema: hookUsesSchema,
    bind: (uses) => ({ hooks: boundUses(uses) }),
  })
