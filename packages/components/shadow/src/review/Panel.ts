/** The reviewers of a section at work: budget, breaker, timeout, thresholds and policies around each review. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type {
  Draft,
  FailureRecord,
  GateContext,
  ReviewDraft,
  Reviewed,
  ReviewerFacts,
  ReviewUse,
} from "@planloom/plugin/effect"
import { parseDuration } from "@planloom/plugin/duration"
import type { ReviewerUse, ShadowConfig } from "../ShadowConfig.ts"
import { failureCauses, judge, policyOf, usable } from "../verdict/judge.ts"
import type { Judged } from "../verdict/Outcome.ts"
import { Breakers } from "./Breaker.ts"
import { RunBudgets } from "./RunBudgets.ts"

/** A reviewer as the section uses it. */
export interface PanelMember {
  readonly facts: ReviewerFacts
  readonly use: ReviewUse
  /** Position among the declared reviewers. */
  readonly order: number
  /** Milliseconds; undefined leaves it to the subagent. */
  readonly timeout: number | undefined
}

/** What a reviewed text belongs to. */
export type About = Omit<Draft, "text" | "part">

/** Validators, which review each part of a stream, ask no model: theirs are not received. */
type ReviewListener = (reviewed: Reviewed) => void

export class Panel {
  readonly config: ShadowConfig
  private readonly breakers: Breakers
  private readonly budgets: RunBudgets
  private readonly onReview: ReviewListener | undefined

  constructor(
    config: ShadowConfig,
    breakers = new Breakers(config.breaker),
    budgets = new RunBudgets(config.budget),
    onReview?: ReviewListener,
  ) {
    this.config = config
    this.breakers = breakers
    this.budgets = budgets
    this.onReview = onReview
  }

  /** Other policies with the same breakers and budgets. */
  withConfig(config: ShadowConfig): Panel {
    return new Panel(config, this.breakers, this.budgets, this.onReview)
  }

  /** The same panel, whose reviews by models the listener receives. */
  watched(onReview: ReviewListener): Panel {
    return new Panel(this.config, this.breakers, this.budgets, onReview)
  }

  /** The reviewers of a list, without those that do not exist. `from` counts those declared before. */
  members(
    uses: ReadonlyArray<string | ReviewerUse>,
    factsOf: (id: string) => ReviewerFacts | undefined,
    from = 0,
  ): ReadonlyArray<PanelMember> {
    const { model, timeout } = this.config
    return uses.flatMap((written, index) => {
      const one: ReviewerUse = typeof written === "string" ? { use: written } : written
      const facts = factsOf(one.use)
      if (facts === undefined) return []
      const asks = one.model ?? model
      return [
        {
          facts,
          order: from + index,
          use: {
            use: one.use,
            ...(one.with === undefined ? {} : { with: one.with }),
            ...(asks === undefined ? {} : { model: asks }),
          },
          timeout: parseDuration(one.timeout ?? timeout ?? "") ?? undefined,
        },
      ]
    })
  }

  /** One review, not reported yet. */
  judged(
    member: PanelMember,
    draft: ReviewDraft,
    context: GateContext,
  ): Effect.Effect<{ readonly reviewed: Reviewed; readonly judged: Judged }> {
    const { facts, timeout, use } = member
    const { id } = facts
    const asked =
      facts.kind === "validator"
        ? context.review(use, draft, { silent: true })
        : Effect.flatMap(Clock.currentTimeMillis, (now) => {
            const refused = this.refusal(id, context.run, now)
            if (refused !== undefined) return Effect.succeed(refused)
            const made = context.review(use, scoped(draft, facts), {
              silent: true,
              ...(timeout === undefined ? {} : { timeout }),
            })
            return Effect.flatMap(made, (reviewed) =>
              Effect.map(Clock.currentTimeMillis, (end) => {
                this.breakers.ended(id, reviewed.cause === "verdict", end)
                this.budgets.book(context.run, reviewed.cost)
                this.onReview?.(reviewed)
                return reviewed
              }),
            )
          })
    return Effect.map(asked, (given) => {
      const reviewed = usable(given, facts.at, draft)
      return { reviewed, judged: judge(reviewed, member, this.config) }
    })
  }

  /** What a failure of a reviewer counts as, outside of a review. */
  failed(member: PanelMember, failure: FailureRecord) {
    const reviewed: Reviewed = { reviewer: member.facts.id, ms: 0, cause: "error", failure }
    return { reviewed, judged: judge(reviewed, member, this.config) }
  }

  /** One review, reported as an event. */
  review(member: PanelMember, draft: ReviewDraft, context: GateContext): Effect.Effect<Judged> {
    return Effect.flatMap(this.judged(member, draft, context), ({ judged, reviewed }) =>
      Effect.as(context.report(reviewed, judged.finding.verdict), judged),
    )
  }

  /** Whether a failure of the reviewer blocks. */
  mayBlock(facts: ReviewerFacts): boolean {
    return failureCauses.some((cause) => policyOf(cause, facts, this.config) === "block")
  }

  private refusal(reviewer: string, run: string, now: number): Reviewed | undefined {
    return this.budgets.isSpent(run)
      ? notAsked(reviewer, "budget", "the budget of the reviewers is spent")
      : this.breakers.admits(reviewer, now)
        ? undefined
        : notAsked(reviewer, "unavailable", "its last reviews failed")
  }
}

const notAsked = (reviewer: string, failed: "budget" | "unavailable", why: string): Reviewed => ({
  reviewer,
  ms: 0,
  cause: "error",
  failure: {
    class: failed,
    message: `"${reviewer}" was not asked: ${why}`,
    detail: { plain: `it was not asked, because ${why}` },
  },
})

/** What of the conversation a reviewer reads. */
const scoped = (draft: ReviewDraft, { scope }: ReviewerFacts): ReviewDraft =>
  scope === "conversation"
    ? draft
    : { ...draft, turns: [], ...(scope === "last" ? { calls: [] } : {}) }
