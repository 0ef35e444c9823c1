/** The hooks of one stage or workflow at work: runs those of a point around a call. */
import * as Effect from "effect/Effect"
import type { PointId, Points, StageFailed } from "@planloom/plugin/effect"
import { loadedOnce } from "@planloom/plugin/late"
import type { HookPlan } from "../pipeline/HookPlan.ts"
import type { HookSite } from "./HookSite.ts"
import type { PointRunner } from "@planloom/prompt"

/** Loaded with a workflow that has hooks. */
export const hooksModule = loadedOnce(() => import("./runHooks.ts"))

/** The call that hooks surround. */
export interface Surrounded {
  /** Name of the call in the record. */
  readonly name: string
  /** The section, model, tool or output that it is for. */
  readonly of?: string
  /** Prompt mode of the call; absent outside of prompts. */
  readonly mode?: string
}

/** Points of the prompt of a call, in the order in which it is assembled. */
const assembly: ReadonlyArray<PointId> = [
  "pre_assembly",
  "section_build",
  "tools_build",
  "post_assembly",
]

export class CallHooks {
  private readonly plan: HookPlan
  private readonly site: HookSite

  constructor(plan: HookPlan, site: HookSite) {
    this.plan = plan
    this.site = site
  }

  has(point: PointId): boolean {
    return this.plan[point] !== undefined
  }

  /** Runs the hooks at the points of a prompt; undefined without any. */
  promptRunner(name: string): PointRunner | undefined {
    if (!assembly.some((point) => this.has(point))) return undefined
    let mode = ""
    return (point, draft) => {
      // Only a section has an id, and `pre_assembly` determines the mode.
      const { id, mode: wanted } = draft as { readonly id?: string; readonly mode?: string }
      mode = wanted ?? mode
      const made = this.run(point, draft, { name, mode, ...(id === undefined ? {} : { of: id }) })
      return wanted === undefined
        ? made
        : Effect.tap(made, (changed) =>
            Effect.sync(() => {
              mode = (changed as { readonly mode: string }).mode
            }),
          )
    }
  }

  /** Ids of the hooks around a model call and its prompt. */
  get modelIds(): ReadonlyArray<string> {
    return this.ids(...assembly, "before_model", "after_model")
  }

  /** Ids of the hooks at these points, in order; a cassette keeps them with the call. */
  ids(...points: ReadonlyArray<PointId>): ReadonlyArray<string> {
    return points.flatMap((point) => this.plan[point]?.ids ?? [])
  }

  /**
   * The draft with the changes of the hooks. Hooks that end synchronously run when it is called: in a run the module is
   * loaded, and nothing waits for it.
   */
  run<P extends PointId>(
    point: P,
    draft: Points[P]["draft"],
    { mode, name, of }: Surrounded,
  ): Effect.Effect<Points[P]["draft"], StageFailed> {
    const hooks = this.plan[point]
    const { site } = this
    return hooks === undefined
      ? Effect.succeed(draft)
      : Effect.flatMapEager(hooksModule(), ({ runHooks }) =>
          runHooks({ point, hooks, site, name, of, mode, now: site.clock() }, draft),
        )
  }
}
