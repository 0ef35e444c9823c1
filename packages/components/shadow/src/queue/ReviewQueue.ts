/** The review queue of a store: adds, lists, claims, decides and erases items. */
import { hash } from "node:crypto"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { Collection, StoreFailed } from "@planloom/plugin/effect"
import {
  itemValue,
  queuedReview,
  type QueuedReview,
  type ReviewClaim,
  type ReviewDecision,
  type ReviewItem,
  type ReviewState,
} from "./ReviewItem.ts"

const PAGE_SIZE = 100

/** Milliseconds in which a claimed entry is written with its claim. */
const CLAIMING_MS = 10_000

/** `decided`: a decision is final. `claimed`: another person works on it. `missing`: no item has that id, or none is open. */
export type Refusal = "decided" | "claimed" | "missing"

export type Taken =
  | { readonly ok: true; readonly review: QueuedReview }
  | { readonly ok: false; readonly refusal: Refusal; readonly review?: QueuedReview }

/** Ids of items. */
export interface PrunedReviews {
  readonly deleted: ReadonlyArray<string>
  /** Items of deleted runs that stay, because no person has decided on them. */
  readonly undecided: ReadonlyArray<string>
}

export class ReviewQueue {
  private readonly entries: Collection

  constructor(entries: Collection) {
    this.entries = entries
  }

  /** A resumed run that repeats a review adds nothing: the item is the same, or already decided. */
  add(item: ReviewItem): Effect.Effect<void, StoreFailed> {
    const digest = hash(
      "sha256",
      JSON.stringify([item.written, item.request, item.findings.map(({ reviewer }) => reviewer)]),
    ).slice(0, 8)
    const key = `${item.run}/${item.path}/${digest}`
    return Effect.asVoid(this.entries.put(key, itemValue(item), { version: "new", state: "open" }))
  }

  /** Oldest first. */
  list(state?: ReviewState): Effect.Effect<ReadonlyArray<QueuedReview>, StoreFailed> {
    return Effect.gen({ self: this }, function* () {
      const now = yield* Clock.currentTimeMillis
      const found: Array<QueuedReview> = []
      let after: string | undefined
      for (;;) {
        const page = yield* this.entries.list({
          limit: PAGE_SIZE,
          // A decision is final; a claim may have expired since it was stored.
          ...(state === "decided" ? { state } : {}),
          ...(after === undefined ? {} : { after }),
        })
        found.push(...page.map((entry) => queuedReview(entry, now)))
        if (page.length < PAGE_SIZE) break
        after = page.at(-1)!.key
      }
      return found
        .filter((one) => state === undefined || one.state === state)
        .toSorted((one, other) => one.item.at - other.item.at)
    })
  }

  /** Takes the oldest open item, whose claim ends after so many milliseconds. Two people never get the same one. */
  claimNext(by: string, ms: number): Effect.Effect<Taken, StoreFailed> {
    return Effect.gen({ self: this }, function* () {
      for (;;) {
        const now = yield* Clock.currentTimeMillis
        const fresh = yield* this.entries.claim("open", by, CLAIMING_MS)
        const id = fresh?.key ?? (yield* this.list("open"))[0]?.id
        if (id === undefined) return { ok: false, refusal: "missing" }
        const taken = yield* this.claim(id, { by, until: now + ms })
        if (taken.ok) return taken
      }
    })
  }

  claim(id: string, claim: ReviewClaim): Effect.Effect<Taken, StoreFailed> {
    return this.change(id, claim.by, "claimed", (item) => ({ ...item, claim }))
  }

  decide(id: string, decision: ReviewDecision): Effect.Effect<Taken, StoreFailed> {
    return this.change(id, decision.by, "decided", ({ claim: _, ...item }) => ({
      ...item,
      decision,
    }))
  }

  /** Deletes the items of a user, and those of sessions that are deleted with them; returns their ids. */
  erase(
    users: ReadonlyArray<string>,
    sessions: ReadonlyArray<string>,
  ): Effect.Effect<ReadonlyArray<string>, StoreFailed> {
    return Effect.gen({ self: this }, function* () {
      const erased: Array<string> = []
      for (const { id, item } of yield* this.list()) {
        const isTheirs =
          (item.user !== undefined && users.includes(item.user)) ||
          (item.session !== undefined && sessions.includes(item.session))
        if (!isTheirs) continue
        yield* this.entries.remove(id)
        erased.push(id)
      }
      return erased
    })
  }

  /** Deletes decided items: those of these runs, which are deleted, and those decided before a time (epoch milliseconds). */
  prune(runs: ReadonlyArray<string>, before?: number): Effect.Effect<PrunedReviews, StoreFailed> {
    return Effect.gen({ self: this }, function* () {
      const gone = new Set(runs)
      const deleted: Array<string> = []
      const undecided: Array<string> = []
      // Only the items of deleted runs matter while they are undecided.
      for (const { id, item, state } of yield* this.list(gone.size === 0 ? "decided" : undefined)) {
        const isOld =
          before !== undefined && item.decision !== undefined && item.decision.at < before
        if (!isOld && !gone.has(item.run)) continue
        if (state === "decided") {
          yield* this.entries.remove(id)
          deleted.push(id)
        } else undecided.push(id)
      }
      return { deleted, undecided }
    })
  }

  /** Repeats when another process has changed the item meanwhile. */
  private change(
    id: string,
    by: string,
    state: ReviewState,
    edit: (item: ReviewItem) => ReviewItem,
  ): Effect.Effect<Taken, StoreFailed> {
    return Effect.gen({ self: this }, function* () {
      for (;;) {
        const now = yield* Clock.currentTimeMillis
        const entry = yield* this.entries.get(id)
        if (entry === undefined) return { ok: false, refusal: "missing" }
        const review = queuedReview(entry, now)
        if (review.state === "decided") return { ok: false, refusal: "decided", review }
        if (review.state === "claimed" && review.item.claim!.by !== by) {
          return { ok: false, refusal: "claimed", review }
        }
        const put = yield* this.entries.put(id, itemValue(edit(review.item)), {
          version: review.version,
          state,
        })
        if (put.ok) return { ok: true, review: queuedReview(put.entry, now) }
      }
    })
  }
}
