/** The file kind `HookSet`: hooks and experiments that workflows share. */
import { fileKind, type FileKind } from "@planloom/plugin/effect"
import { experimentsSchema } from "./experiments/Experiment.ts"
import { hookUsesSchema } from "./HookUses.ts"

export const hookSetKind: FileKind = fileKind({
  kind: "HookSet",
  summary: "Hooks and experiments of every workflow that uses the file.",
  schema: {
    type: "object",
    properties: {
      name: { type: "string", format: "name", description: "The name of the set." },
      description: { type: "string", description: "What the set is for." },
      hooks: hookUsesSchema,
      experiments: experimentsSchema,
    },
    required: ["name"],
    additionalProperties: false,
  },
  sections: ["hooks", "experiments"],
})
