/** The gate of the key `shadow`: the one way of a reply through input, window and whole reviewers. */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type {
  Failure,
  Finding,
  Gate,
  GateContext,
  ModelFailed,
  Released,
} from "@planloom/plugin/effect"
import { withReplies, type ReviewerReplies } from "../queue/ReviewerReplies.ts"
import type { About, Panel, PanelMember } from "../review/Panel.ts"
import { combine, noReviews, outcomeOf, severity, type Outcome } from "../verdict/Outcome.ts"
import { escalation } from "./escalation.ts"
import { Guards } from "./Guards.ts"
import { isBlocked, type Passed } from "./Passage.ts"
import { settles, WholeReview } from "./WholeReview.ts"
import { Windows } from "./Windows.ts"

/** A reply after its reviews. */
export interface Settlement {
  /** What the model wrote up to a block, with replaced places; the user never sees it if it is blocked. */
  readonly written: string
  /** What the user sees. */
  readonly text: string
  readonly outcome: Outcome
  /** Of the models of its reviewers. */
  readonly replies: ReviewerReplies
}

/** Receives each reply that was reviewed. */
export type SettledListener = (
  settlement: Settlement,
  about: About,
  context: GateContext,
) => Effect.Effect<void, Failure>

export const shadowGate = (
  panel: Panel,
  members: ReadonlyArray<PanelMember>,
  onSettled: SettledListener = () => Effect.void,
): Gate => ({
  open: (about, context) => (text) =>
    Stream.suspend(() => {
      const own = context.isValue === true ? members.filter(readsValues) : members
      return new ReplyReview(panel, own, about, context, onSettled).through(text)
    }),
})

/** The others judge a reply as a whole. */
const readsValues = ({ facts }: PanelMember): boolean =>
  facts.class === "safety" || facts.class === "compliance"

class ReplyReview {
  private readonly guards: Guards
  private readonly windows: Windows
  private readonly whole: WholeReview
  private readonly input: ReadonlyArray<PanelMember>
  private readonly panel: Panel
  private readonly members: ReadonlyArray<PanelMember>
  private readonly about: About
  private readonly context: GateContext
  private readonly replies: ReviewerReplies
  private readonly onSettled: SettledListener
  /** Whether no text may leave before all of it is reviewed. */
  private readonly holdsAll: boolean
  private written = ""
  private isStopped = false
  private outcome: Outcome = noReviews

  constructor(
    given: Panel,
    members: ReadonlyArray<PanelMember>,
    about: About,
    context: GateContext,
    onSettled: SettledListener,
  ) {
    const { panel, replies } = withReplies(given)
    const at = (place: string, kind?: string) =>
      members.filter(({ facts }) => facts.at === place && (kind ?? facts.kind) === facts.kind)
    const guarding = at("window", "validator")
    const wholes = at("whole")
    this.panel = panel
    this.members = members
    this.about = about
    this.context = context
    this.replies = replies
    this.onSettled = onSettled
    this.input = at("input")
    this.guards = new Guards(panel, guarding, about, context)
    this.windows = new Windows(panel, at("window", "subagent"), about, context)
    this.whole = new WholeReview({
      panel,
      members: wholes,
      validators: [...guarding, ...at("whole", "validator")],
      about,
      context,
    })
    // An enrichment follows the text, and a flag changes nothing; a reviewer that fails may block.
    this.holdsAll = wholes.some(({ facts }) => facts.can.some(settles) || panel.mayBlock(facts))
  }

  through(text: Stream.Stream<string, ModelFailed>): Stream.Stream<Released, Failure> {
    return Stream.unwrap(
      Effect.map(this.requested, (isRefused) =>
        isRefused ? Stream.fromEffect(this.settled(undefined)) : this.replied(text),
      ),
    )
  }

  /** Whether the request is blocked: the model is not asked then. */
  private get requested(): Effect.Effect<boolean> {
    const { about, context, input, panel } = this
    const draft = { ...about, text: about.request }
    return Effect.map(
      Effect.forEach(input, (member) => panel.review(member, draft, context), {
        concurrency: "unbounded",
      }),
      (judged) => {
        this.outcome = outcomeOf(...judged)
        return this.outcome.verdict === "block"
      },
    )
  }

  private replied(text: Stream.Stream<string, ModelFailed>): Stream.Stream<Released, Failure> {
    const { guards, windows } = this
    const pieces = Stream.takeUntil(
      Stream.mapEffect(text, (piece) => guards.push(piece)),
      (passed) => {
        this.isStopped = passed.some(isBlocked)
        return this.isStopped
      },
    )
    const end = Stream.suspend(() =>
      this.isStopped ? Stream.empty : Stream.fromEffect(guards.end()),
    )
    const guarded = Stream.flattenIterable(Stream.concat(pieces, end))
    return Stream.concat(
      Stream.flatMap(windows.through(guarded), (passed) => this.released(passed)),
      Stream.unwrap(
        Effect.map(
          Effect.suspend(() => this.ended),
          (settled) => Stream.make(settled),
        ),
      ),
    )
  }

  private released(passed: Passed): Stream.Stream<Released> {
    const { text } = passed
    this.written += text
    if (isBlocked(passed)) {
      this.isStopped = true
      return Stream.empty
    }
    return this.holdsAll || text === "" ? Stream.empty : Stream.make({ type: "release", text })
  }

  private get ended(): Effect.Effect<Released, Failure> {
    return Effect.gen({ self: this }, function* () {
      yield* this.reportParts
      const { guards, windows, written } = this
      if (this.outcome.verdict === "block") return yield* this.settled(undefined)
      if (written.trim() === "") return yield* this.settled(written)
      const isChanged = guards.hasReplaced || windows.hasReplaced
      const { outcome, text } = yield* this.whole.of(written, isChanged)
      this.outcome = combine(this.outcome, outcome)
      return yield* this.settled(text)
    })
  }

  /** One event for each reviewer of parts. */
  private get reportParts(): Effect.Effect<void> {
    const kept = [...this.guards.reviews, ...this.windows.reviews].flatMap(
      ([, reviews]) => reviews.whole ?? [],
    )
    this.outcome = combine(this.outcome, outcomeOf(...kept.map(({ judged }) => judged)))
    return Effect.forEach(
      kept,
      ({ judged, reviewed }) => this.context.report(reviewed, judged.finding.verdict),
      { discard: true },
    )
  }

  /** Undefined for a blocked text. */
  private settled(passed: string | undefined): Effect.Effect<Released, Failure> {
    const { about, context, members, panel } = this
    if (passed === undefined && context.isValue === true) {
      return this.settledWith(context.text("escalate"), { blocked: true })
    }
    return passed === undefined
      ? Effect.flatMap(escalation({ panel, members, about, context }), (text) =>
          this.settledWith(text, { blocked: true }),
        )
      : this.settledWith(passed, {})
  }

  private settledWith(
    text: string,
    blocked: { readonly blocked?: true },
  ): Effect.Effect<Released, Failure> {
    const { about, context, outcome, replies, written } = this
    const findings: ReadonlyArray<Finding> = outcome.judged.map(({ finding }) => finding)
    return Effect.as(
      written.trim() === "" && outcome.judged.length === 0
        ? Effect.void
        : this.onSettled({ written, text, outcome, replies }, about, context),
      {
        type: "settled",
        text,
        findings,
        ...(severity(outcome.verdict) >= severity("replace") ? { stop: true as const } : {}),
        ...blocked,
      },
    )
  }
}
