/** The whole text of a reply under review: blocked, replaced, enriched, or left as the model wrote it. */
import * as Effect from "effect/Effect"
import type { Finding, GateContext, Verdict } from "@planloom/plugin/effect"
import type { About, Panel, PanelMember } from "../review/Panel.ts"
import { outcomeOf, severity, type Judged, type Outcome } from "../verdict/Outcome.ts"
import { applyMarks, marksOf } from "./spans.ts"

export interface Reviewed {
  /** Undefined for a blocked text. */
  readonly text: string | undefined
  readonly outcome: Outcome
}

export class WholeReview {
  private readonly panel: Panel
  /** In declared order. */
  private readonly members: ReadonlyArray<PanelMember>
  /** Validators of the text and of its parts: they read what reviewers write. */
  private readonly validators: ReadonlyArray<PanelMember>
  private readonly about: About
  private readonly context: GateContext

  constructor(given: {
    readonly panel: Panel
    readonly members: ReadonlyArray<PanelMember>
    readonly validators: ReadonlyArray<PanelMember>
    readonly about: About
    readonly context: GateContext
  }) {
    this.panel = given.panel
    this.members = given.members
    this.validators = given.validators
    this.about = given.about
    this.context = given.context
  }

  /** `isChanged`: parts of the text were replaced while it was written. */
  of(text: string, isChanged: boolean): Effect.Effect<Reviewed> {
    return Effect.gen({ self: this }, function* () {
      const first = outcomeOf(...(yield* this.reviewed(this.members, text)))
      if (first.verdict === "block") return { text: undefined, outcome: first }
      const replaced = yield* this.replaced(text, first.judged)
      if (replaced === undefined) return { text: undefined, outcome: first }
      const checked = yield* this.checked(replaced.text, isChanged, replaced.isChanged)
      const outcome = outcomeOf(...first.judged, ...replaced.judged, ...checked)
      if (outcome.verdict === "block") return { text: undefined, outcome }
      // A field of a value has no place for an addition.
      if (this.context.isValue === true) return { text: replaced.text, outcome }
      const enriched = yield* this.enriched(replaced.text, first.judged)
      const all = outcomeOf(...outcome.judged, ...enriched.judged)
      return { text: all.verdict === "block" ? undefined : enriched.text, outcome: all }
    })
  }

  private reviewed(
    members: ReadonlyArray<PanelMember>,
    text: string,
  ): Effect.Effect<ReadonlyArray<Judged>> {
    const draft = { ...this.about, text, part: { start: 0, end: text.length, last: true } }
    return Effect.forEach(members, (member) => this.panel.review(member, draft, this.context), {
      concurrency: "unbounded",
    })
  }

  /**
   * Replacements in declared order. Places are replaced together. A reviewer that writes the text anew after another one
   * did reads it again first, so that neither change is lost. Undefined if it blocks what the other one wrote.
   */
  private replaced(
    given: string,
    judged: ReadonlyArray<Judged>,
  ): Effect.Effect<
    | { readonly text: string; readonly isChanged: boolean; readonly judged: ReadonlyArray<Judged> }
    | undefined
  > {
    return Effect.gen({ self: this }, function* () {
      const replacing = judged.filter(({ finding }) => finding.verdict === "replace")
      const placed = replacing.filter(({ finding }) => hasPlaces(finding))
      let text = applyMarks(
        given,
        placed.flatMap(({ finding }) => marksOf(finding)),
      )
      const again: Array<Judged> = []
      for (const one of replacing) {
        if (hasPlaces(one.finding)) continue
        if (text === given) {
          text = one.finding.text!
          continue
        }
        const [second] = yield* this.reviewed([this.member(one)], text)
        if (second === undefined) continue
        again.push(second)
        if (second.finding.verdict === "block") return undefined
        if (second.finding.verdict !== "replace") continue
        text = hasPlaces(second.finding)
          ? applyMarks(text, marksOf(second.finding))
          : second.finding.text!
      }
      return { text, isChanged: replacing.length > 0, judged: again }
    })
  }

  /** Reviews a changed text once more: what does not pass then is a conflict. */
  private checked(
    text: string,
    hasParts: boolean,
    isChanged: boolean,
  ): Effect.Effect<ReadonlyArray<Judged>> {
    if (!isChanged && !hasParts) return Effect.succeed([])
    const deciding = this.members.filter(({ facts }) => facts.can.some(settles))
    const again = isChanged
      ? [...new Set([...this.validators, ...deciding])]
      : this.validators.filter((member) => !this.members.includes(member))
    return Effect.map(this.reviewed(again, text), (judged) =>
      judged.map((one) =>
        settles(one.finding.verdict)
          ? {
              ...one,
              finding: this.conflict(
                one.finding,
                "the text was replaced, and is still not accepted",
              ),
            }
          : one,
      ),
    )
  }

  /** Appends what enriches the text; one that validators do not accept is left out, or blocks if the text needs it. */
  private enriched(
    given: string,
    judged: ReadonlyArray<Judged>,
  ): Effect.Effect<{ readonly text: string; readonly judged: ReadonlyArray<Judged> }> {
    return Effect.gen({ self: this }, function* () {
      let text = given
      const rejected: Array<Judged> = []
      for (const one of judged) {
        const { finding } = one
        if (finding.verdict !== "enrich") continue
        const addition = finding.text?.trim() ?? ""
        const longer =
          addition === "" ? applyMarks(text, marksOf(finding)) : `${text}\n\n${addition}`
        const checks = yield* this.reviewed(this.validators, longer)
        const against = checks.filter(({ finding: { verdict } }) => settles(verdict))
        if (against.length === 0) {
          text = longer
          continue
        }
        const why = `the addition of "${one.reviewer}" is left out`
        const verdict = isRequired(this.member(one)) ? "block" : "flag"
        rejected.push(
          ...against.map((check) => ({
            ...check,
            finding: { ...flagOf(check.finding, why), verdict } satisfies Finding,
          })),
        )
      }
      return { text, judged: rejected }
    })
  }

  private conflict(finding: Finding, why: string): Finding {
    const { on_conflict: policy = "block" } = this.panel.config
    return { ...flagOf(finding, why), verdict: policy }
  }

  private member({ order }: Judged): PanelMember {
    return this.members.find((member) => member.order === order)!
  }
}

/** Verdicts after which a text cannot leave unchanged. */
export const settles = (verdict: Verdict): boolean => severity(verdict) >= severity("replace")

/** Whether a text must not leave without what its reviewer adds. */
const isRequired = ({ facts }: PanelMember): boolean =>
  facts.class === "compliance" || facts.class === "safety"

const hasPlaces = ({ spans = [] }: Finding): boolean => spans.length > 0

const flagOf = ({ confidence, issues, reason }: Finding, why: string): Finding => ({
  verdict: "flag",
  confidence,
  reason: `${why}: ${reason}`,
  ...(issues === undefined ? {} : { issues }),
})
