/** One review of a text by a subagent or validator: its finding, or the failure of the reviewer. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import {
  reportedFinding,
  type CallContext,
  type Draft,
  type FailureRecord,
  type Finding,
  type JsonObject,
  type ModelClient,
  type ReviewCost,
  type Reviewed,
  type ReviewDraft,
  type ReviewerReply,
  type ReviewOptions,
  type ReviewUse,
  type Validator,
  type Verdict,
} from "@planloom/plugin/effect"
import { formatDuration, parseDuration } from "@planloom/plugin/duration"
import { validatorOf } from "@planloom/schema/ajv"
import { formatIssues } from "@planloom/schema"
import { faultIn, lateHook, malformed, threw, type HookFault } from "../../../hook/HookFault.ts"
import type { HookSite } from "../../../hook/HookSite.ts"
import { readFinding } from "../../../hook/readPatch.ts"
import { withinTime } from "../../../hook/withinTime.ts"
import type { Pipeline } from "../../../pipeline/Pipeline.ts"
import { reportedFailure } from "./reportedFailure.ts"

/** Milliseconds that a subagent may take. */
const DEFAULT_TIMEOUT_MS = 30_000

/** The model of a reviewer, and what its calls have cost so far. */
export interface ReviewModel {
  readonly client: ModelClient
  readonly cost: () => ReviewCost | undefined
  readonly replies: () => ReadonlyArray<ReviewerReply>
}

/** A reviewer with its options. */
export type NamedUse = Exclude<ReviewUse, string>

export interface ReviewSite {
  readonly site: HookSite
  readonly pipeline: Pick<Pipeline, "subagents" | "validators">
  /** The model that the reviewer names, else of the stage, with calls of their own names. */
  readonly modelAt: (path: string, use: NamedUse) => ReviewModel
}

/** Never fails because of the reviewer. `path` names the review in the record. */
export const reviewOne = (
  review: ReviewSite,
  use: ReviewUse,
  draft: ReviewDraft,
  path: () => string,
  { silent, timeout }: ReviewOptions = {},
): Effect.Effect<Reviewed> => {
  const { pipeline, site } = review
  const named = typeof use === "string" ? namedOnly(use) : use
  const { use: id, with: options = {} } = named
  const subagent = pipeline.subagents.get(id)
  const validator = pipeline.validators.get(id)
  const reviewer = subagent ?? validator
  if (reviewer === undefined) {
    const message = `there is no subagent or validator "${id}"`
    const failure = { class: "invalid_request", message, detail: { plain: message } } as const
    return Effect.succeed({ reviewer: id, ms: 0, cause: "error", failure })
  }
  const { can } = reviewer
  let asked: ReviewModel | undefined
  const read = (given: unknown): Finding | HookFault => {
    const finding = readFinding(given)
    if (typeof finding === "string") return malformed(finding, "it returned no finding")
    if (can !== undefined && !can.includes(finding.verdict)) {
      return malformed(
        `its verdict "${finding.verdict}" is not one of those it declares: ${can.join(", ")}`,
      )
    }
    const { rules, spans } = finding
    // Positions are recorded: others may be any number.
    if (spans?.some(({ end, start }) => start > end || end > draft.text.length)) {
      return malformed("a span of its finding is not in the text")
    }
    if (rules !== undefined && rules.length > 0) {
      const known = declaredRules(reviewer, options, site)
      // Not named: an undeclared rule may be any text.
      if (!rules.every((rule) => known.has(rule))) {
        return malformed("a rule of its finding is not one of those it declares")
      }
    }
    return finding
  }
  const unfit = (): HookFault | undefined => {
    const issues = validatorOf(reviewer.input ?? true)(options)
    return issues.length === 0
      ? undefined
      : malformed(`its \`with\` does not fit: ${formatIssues(issues)}`, "its `with` does not fit")
  }
  const ended = (result: Finding | HookFault, start: number): Reviewed => {
    const cost = asked?.cost()
    const replies = asked?.replies()
    const about: About = { reviewer: id, ms: site.clock() - start }
    if (cost !== undefined) about.cost = cost
    if (replies !== undefined && replies.length > 0) about.replies = replies
    const reviewed: Reviewed =
      "verdict" in result
        ? { ...about, cause: "verdict", finding: result }
        : { ...about, cause: causeOf(result), failure: failureOf(id, result) }
    if (silent !== true) reportReview(site, reviewed, undefined)
    return reviewed
  }
  if (subagent === undefined) {
    // One step: a validator reads each part of a stream.
    return Effect.sync(() => {
      const start = site.clock()
      return ended(
        faultOr(
          () => unfit() ?? read(validator!.validate(draft.text, options, wholeOf(draft, site))),
        ),
        start,
      )
    })
  }
  return Effect.suspend(() => {
    const start = site.clock()
    const work: Effect.Effect<Finding | HookFault> = Effect.suspend(() => {
      const fault = unfit()
      if (fault !== undefined) return Effect.succeed(fault)
      const limit = timeout ?? parseDuration(subagent.timeout ?? "") ?? DEFAULT_TIMEOUT_MS
      const name = path()
      asked = review.modelAt(name, named)
      const context = contextOf(site, options, asked.client)
      const made = Effect.suspend(() => subagent.review(wholeOf(draft, site), context))
      const late = () => lateHook(formatDuration(limit))
      return Effect.flatMap(withinTime(made, limit, late), (given) =>
        // One that works synchronously cannot be interrupted: it is late all the same.
        site.clock() - start > limit ? Effect.fail(late()) : Effect.succeed(read(given)),
      )
    }).pipe(
      Effect.catchCause((cause) => {
        const fault = faultIn(cause)
        return fault === undefined
          ? (Effect.failCause(cause) as Effect.Effect<never>)
          : Effect.succeed(fault)
      }),
    )
    return Effect.map(work, (result) => ended(result, start))
  })
}

/** The parts of every review, however it ended. */
interface About {
  readonly reviewer: string
  readonly ms: number
  cost?: ReviewCost
  replies?: ReadonlyArray<ReviewerReply>
}

/** Defects that end the run stay defects. */
const faultOr = <A>(work: () => A): A | HookFault => {
  try {
    return work()
  } catch (defect) {
    const fault = faultIn(Cause.die(defect))
    if (fault === undefined) throw defect
    return fault
  }
}

const declaredRules = (
  { rules = [] }: Pick<Validator, "rules">,
  options: JsonObject,
  { surroundings: { files } }: HookSite,
): ReadonlySet<string> => new Set(typeof rules === "function" ? rules(options, files) : rules)

const namedOnly = (use: string): NamedUse => ({ use })

/** What is left out of the draft is known from the place of the review. */
const wholeOf = (draft: ReviewDraft, { surroundings }: HookSite): Draft => ({
  request: "",
  part: { start: 0, end: draft.text.length, last: true },
  turns: [],
  calls: surroundings.calls,
  data: null,
  ...draft,
})

const contextOf = (
  site: HookSite,
  options: JsonObject,
  model: ModelClient,
): CallContext & { readonly model: ModelClient } =>
  Object.assign(Object.create(site.surroundings) as typeof site.surroundings, {
    with: options,
    now: site.clock(),
    // On no record: what a reviewer learns about a text may quote it.
    step: ((_, effect) => effect) satisfies CallContext["step"],
    model,
  })

const causeOf = ({ cause }: HookFault): "timeout" | "error" | "invalid" =>
  cause === "timeout" ? "timeout" : cause === "malformed" ? "invalid" : "error"

const failureOf = (reviewer: string, fault: HookFault): FailureRecord => {
  const { cause, class: failure, frames, message, plain, stack } = fault
  return {
    class: failure,
    message: `the review by "${reviewer}" failed: ${message}`,
    detail: {
      reviewer,
      cause,
      ...(plain === undefined ? {} : { plain }),
      ...(stack === undefined ? {} : { stack }),
      ...(frames === undefined ? {} : { frames }),
    },
  }
}

/** Start of the end of a text that a validator must see more of; undefined if it does not say. */
export const openEnd = (
  { id, pending }: Validator,
  text: string,
  options: JsonObject,
): number | FailureRecord | undefined => {
  try {
    const start = pending?.(text, options)
    return start === undefined || (Number.isInteger(start) && start >= 0 && start <= text.length)
      ? start
      : failureOf(
          id,
          malformed(
            `the start of what it must see more of, ${start}, is not in the text`,
            "the start of what it must see more of is not in the text",
          ),
        )
  } catch (error) {
    return failureOf(id, threw(error))
  }
}

/** Emits what a review came to: of the reviewer's own words, none. */
export const reportReview = (
  { emit, surroundings: { path, stage = "" } }: HookSite,
  reviewed: Reviewed,
  counted: Verdict | undefined,
): void => {
  const { cause, ms, reviewer } = reviewed
  const verdict = counted ?? (cause === "verdict" ? reviewed.finding.verdict : undefined)
  emit({
    type: "Reviewed",
    path,
    stage,
    reviewer,
    cause,
    ms,
    ...(verdict === undefined ? {} : { verdict }),
    ...(cause === "verdict"
      ? { finding: reportedFinding(reviewed.finding) }
      : { failure: reportedFailure(reviewed) }),
  })
}
