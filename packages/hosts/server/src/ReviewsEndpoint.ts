/** The part of a host that the API needs for reviews that people decide on, and for erasing a user. */
import type { Effect } from "effect/Effect"
import type { Json, JsonObject, StoreFailed, Verdict } from "@planloom/plugin/effect"

/** `missing`: no review has this id. */
export type ReviewTaken =
  | { readonly ok: true; readonly review: JsonObject }
  | { readonly ok: false; readonly refusal: "decided" | "claimed" | "missing" }

export interface ReviewsEndpoint {
  /** Oldest first. */
  readonly list: (
    state: "open" | "claimed" | "decided" | undefined,
    limit: number,
  ) => Effect<Json, StoreFailed>
  readonly show: (id: string) => Effect<JsonObject | undefined, StoreFailed>
  readonly claim: (
    id: string,
    claim: { readonly by: string; readonly until: number },
  ) => Effect<ReviewTaken, StoreFailed>
  readonly decide: (
    id: string,
    decision: {
      readonly verdict: Verdict
      readonly text?: string
      readonly note?: string
      readonly by: string
      readonly via: string
      readonly at: number
    },
  ) => Effect<ReviewTaken, StoreFailed>
}

/** Erases a user: counts and ids of what is gone. With `runs`, their runs, too. */
export type EraseUser = (
  user: string,
  options: { readonly runs: boolean; readonly via: string },
) => Effect<JsonObject, StoreFailed>
