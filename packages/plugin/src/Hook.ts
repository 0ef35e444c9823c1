/** Hooks: small changes and observations at named points of a run. */
import type { Effect } from "effect/Effect"
import type { Failure } from "./Failure.ts"
import type { Json, JsonObject } from "./Json.ts"

/** Hook points with their drafts; a hook returns a patch of these fields. */
export interface HookDrafts {
  readonly pre_assembly: { readonly sections: ReadonlyArray<string>; readonly vars: JsonObject }
  readonly section_build: { readonly section: string; readonly text: string }
  readonly tools_build: { readonly tools: ReadonlyArray<string> }
  readonly post_assembly: { readonly system: string }
  readonly before_stage: { readonly with: JsonObject }
  readonly after_stage: { readonly output: Json }
  readonly before_model: { readonly system: string; readonly messages: Json }
  readonly after_model: { readonly text: string }
  readonly before_tool: { readonly params: JsonObject }
  readonly after_tool: { readonly result: Json }
  readonly response: { readonly text: string }
}

export type HookPoint = keyof HookDrafts

export interface HookContext {
  readonly run: string
  readonly path: string
  readonly user: JsonObject
  readonly now: Effect<number>
}

/**
 * A hook. Order at a point: `before`/`after` first, then `priority` (higher first, default 100), then id.
 * A failing hook is skipped, its draft untouched, unless the workflow says `on_error: fail`.
 */
export interface Hook<Point extends HookPoint = HookPoint> {
  readonly id: string
  readonly summary: string
  readonly point: Point
  readonly priority?: number
  readonly before?: ReadonlyArray<string>
  readonly after?: ReadonlyArray<string>
  /** JSON Schema of the `with` a workflow may give it. */
  readonly input?: { readonly [keyword: string]: unknown }
  readonly apply: (
    draft: HookDrafts[Point],
    context: HookContext & { readonly with: JsonObject },
  ) => Effect<Partial<HookDrafts[Point]>, Failure>
}
