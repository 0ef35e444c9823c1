/** Reviews a text with subagents and validators of plugins, beside each other, as one recorded call. */
import * as Effect from "effect/Effect"
import {
  StageFailed,
  type CallContext,
  type Draft,
  type FailureRecord,
  type Finding,
  type JsonObject,
  type ModelClient,
  type ReviewDraft,
  type ReviewUse,
} from "@planloom/plugin/effect"
import { formatDuration, parseDuration } from "@planloom/plugin/duration"
import { validatorOf } from "@planloom/schema/ajv"
import { faultIn, lateHook, malformed, type HookFault } from "../../../hook/HookFault.ts"
import type { HookSite } from "../../../hook/HookSite.ts"
import { readFinding } from "../../../hook/readPatch.ts"
import { withinTime } from "../../../hook/withinTime.ts"
import { formatIssues } from "@planloom/schema"
import type { Pipeline } from "../../../pipeline/Pipeline.ts"

/** Reviewers that run at once. */
const AT_ONCE = 4

/** Milliseconds that a subagent may take. */
const DEFAULT_TIMEOUT_MS = 30_000

export interface Review {
  readonly site: HookSite
  readonly pipeline: Pick<Pipeline, "subagents" | "validators">
  /** Name of the call in the record. */
  readonly name: string
  readonly uses: ReadonlyArray<ReviewUse>
  readonly draft: ReviewDraft
  /** The model of the stage, with calls of their own names. */
  readonly modelAt: (name: string) => ModelClient
}

/** The findings in the order of `uses`. All reviewers end before the first failure of one fails the call. */
export const reviewText = (review: Review): Effect.Effect<ReadonlyArray<Finding>, StageFailed> =>
  Effect.flatMap(
    Effect.forEach(review.uses, (use, index) => reviewedBy(review, use, index), {
      concurrency: AT_ONCE,
    }),
    (results) => {
      const failure = results.find((result) => result instanceof StageFailed)
      return failure === undefined
        ? Effect.succeed(results as ReadonlyArray<Finding>)
        : Effect.fail(failure)
    },
  )

const reviewedBy = (
  review: Review,
  use: ReviewUse,
  index: number,
): Effect.Effect<Finding | StageFailed> => {
  const { draft, name, pipeline, site } = review
  const { use: id, with: options = {} } = typeof use === "string" ? { use } : use
  const subagent = pipeline.subagents.get(id)
  const validator = pipeline.validators.get(id)
  const reviewer = subagent ?? validator
  if (reviewer === undefined) {
    const message = `there is no subagent or validator "${id}"`
    return Effect.succeed(new StageFailed({ class: "invalid_request", message }))
  }
  const can = subagent?.can
  const ended = (given: unknown): Finding | StageFailed => {
    const finding = readFinding(given)
    if (typeof finding === "string") return failed(site, id, malformed(finding))
    if (can !== undefined && !can.includes(finding.verdict)) {
      const message = `its verdict "${finding.verdict}" is not one of those it declares: ${can.join(", ")}`
      return failed(site, id, malformed(message))
    }
    emit(site, id, { finding })
    return finding
  }
  return Effect.suspend(() => {
    const issues = validatorOf(reviewer.input ?? true)(options)
    if (issues.length > 0) {
      const fault = malformed(`its \`with\` does not fit: ${formatIssues(issues)}`)
      return Effect.succeed(failed(site, id, fault))
    }
    if (subagent === undefined)
      return Effect.sync(() => ended(validator!.validate(draft.text, options)))
    const limit = parseDuration(subagent.timeout ?? "") ?? DEFAULT_TIMEOUT_MS
    const path = `${name}/${index + 1}`
    const work = Effect.suspend(() =>
      subagent.review(wholeOf(draft, site), contextOf(review, path, options)),
    )
    return Effect.map(
      withinTime(work, limit, () => lateHook(formatDuration(limit))),
      ended,
    )
  }).pipe(
    Effect.catchCause((cause) => {
      const fault = faultIn(cause)
      return fault === undefined
        ? (Effect.failCause(cause) as Effect.Effect<never>)
        : Effect.succeed(failed(site, id, fault))
    }),
  )
}

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
  { modelAt, site }: Review,
  path: string,
  options: JsonObject,
): CallContext & { readonly model: ModelClient } =>
  Object.assign(Object.create(site.surroundings) as typeof site.surroundings, {
    with: options,
    now: site.clock(),
    step: ((step, effect) =>
      site.keep(`${path}/step:${step}`, effect)) satisfies CallContext["step"],
    model: modelAt(path),
  })

const failed = (site: HookSite, reviewer: string, fault: HookFault): StageFailed => {
  const { cause, class: failure, message, stack } = fault
  const record = {
    class: failure,
    message: `the review by "${reviewer}" failed: ${message}`,
    detail: { reviewer, cause, ...(stack === undefined ? {} : { stack }) },
  } as const
  emit(site, reviewer, { failure: record })
  return new StageFailed(record)
}

const emit = (
  { emit: report, surroundings: { path, stage = "" } }: HookSite,
  reviewer: string,
  more: { readonly finding: Finding } | { readonly failure: FailureRecord },
): void => report({ type: "Reviewed", path, stage, reviewer, ...more })
