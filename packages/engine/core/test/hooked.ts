/** A workflow whose hooks are written beside it: a plugin of a test binds them by the key `hooks`. */
import {
  sectionKind,
  type AnyHook,
  type Components,
  type HookUse,
  type SectionOwner,
} from "@planloom/plugin/effect"
import { workflowOf } from "./inline.ts"

interface Written {
  readonly use: string
  readonly with?: NonNullable<HookUse["with"]>
  readonly when?: string
  readonly timeout?: string
  readonly on_error?: "skip" | "fail"
}

const hooksOn = (on: SectionOwner) =>
  sectionKind<ReadonlyArray<Written>>({
    on,
    key: "hooks",
    summary: "Hooks.",
    schema: { type: "array", items: { type: "object" } },
    bind: (uses) => ({
      hooks: uses.map(({ on_error: onError, ...use }, index) => ({
        ...use,
        ...(onError === undefined ? {} : { onError }),
        at: [index],
      })),
    }),
  })

export const hookedWorkflow = (
  body: string,
  hooks: ReadonlyArray<AnyHook>,
  components: Components = {},
) => workflowOf(body, { ...components, hooks, sections: [hooksOn("workflow"), hooksOn("stage")] })
