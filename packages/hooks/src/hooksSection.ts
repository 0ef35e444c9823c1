/** The key `hooks` of a workflow or a stage: hooks of plugins, with their options and conditions. */
import {
  sectionKind,
  type HookUse,
  type JsonObject,
  type SectionKind,
} from "@planloom/plugin/effect"

interface WrittenUse {
  readonly use: string
  readonly with?: JsonObject
  readonly when?: string
  readonly timeout?: string
  readonly on_error?: "skip" | "fail"
}

export const hooksSection = (on: "workflow" | "stage"): SectionKind =>
  sectionKind<ReadonlyArray<WrittenUse>>({
    on,
    key: "hooks",
    summary:
      on === "workflow"
        ? "Hooks that run in every stage, before responses and after the run."
        : "Hooks that run in this stage and the stages inside it.",
    schema: {
      type: "array",
      items: {
        type: "object",
        properties: {
          use: { type: "string", description: "Id of a hook of a declared plugin." },
          with: {
            type: "object",
            description: "Its options; expressions are evaluated for each call.",
          },
          when: {
            type: "string",
            format: "cel",
            description: "The hook runs if this is true. `draft` is what it would see.",
          },
          timeout: {
            type: "string",
            format: "duration",
            description: "A hook that takes longer fails; 5s unless the hook declares another.",
          },
          on_error: {
            enum: ["skip", "fail"],
            description: "Whether the call continues without a failed hook.",
          },
        },
        required: ["use"],
        additionalProperties: false,
      },
    },
    bind: (uses) => ({ hooks: uses.map(boundUse) }),
  })

const boundUse = ({ on_error: onError, ...use }: WrittenUse, index: number): HookUse => ({
  ...use,
  ...(onError === undefined ? {} : { onError }),
  at: [index],
})
