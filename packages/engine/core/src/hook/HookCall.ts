/** One call that hooks surround, at one point. */
import type { PointId } from "@planloom/plugin/effect"
import type { PointHooks } from "../pipeline/HookPlan.ts"
import type { HookSite } from "./HookSite.ts"

export interface HookCall<P extends PointId = PointId> {
  readonly point: P
  readonly hooks: PointHooks
  readonly site: HookSite
  /** Name of the call in the record; steps of the hooks are recorded under it. */
  readonly name: string
  /** The section, model, tool or output that the call is for. */
  readonly of?: string | undefined
  /** Prompt mode of the call. */
  readonly mode?: string | undefined
  /** Epoch milliseconds. */
  readonly now: number
}
