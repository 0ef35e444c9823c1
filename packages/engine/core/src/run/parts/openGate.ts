/** Opens the gate of a stage for one reply. */
import * as Effect from "effect/Effect"
import type {
  Draft,
  GateContext,
  Json,
  JsonObject,
  ReviewDraft,
  ReviewUse,
  SessionTurn,
} from "@planloom/plugin/effect"
import { below, gateReview } from "@planloom/plugin/segments"
import { splitReasoning } from "../../reply/text/splitReasoning.ts"
import type { ReplyGate } from "../../reply/parts/throughGate.ts"
import { ReplyFilter } from "../../reply/parts/ReplyFilter.ts"
import type { ReplyParts } from "../../reply/parts/ReplyParts.ts"
import type { HookSite } from "../../hook/HookSite.ts"
import type { ModelSite } from "../stage/attempt/ModelSite.ts"
import { openEnd, reportReview, reviewOne, type ReviewSite } from "../stage/attempt/reviewOne.ts"
import type { KindOccurrence } from "../stage/Occurrence.ts"
import { tryEvaluate } from "../stage/tryEvaluate.ts"
import { digestOf } from "./digestOf.ts"
import { doneText } from "./doneText.ts"
import { cleanText, redactingOf } from "./openReply.ts"

export interface GatedCall {
  readonly site: Pick<ModelSite, "occurrence" | "hookSite" | "reviewModel">
  /** Name of the call in the record: steps of the gate are recorded under it. */
  readonly name: string
  /** Of a reply without a model: its strategy calls tools after the gate has opened. */
  readonly callsLater?: boolean
}

export const openGate = (
  call: GatedCall,
  reader: ReplyParts | undefined,
): ReplyGate | undefined => {
  const { hookSite, occurrence } = call.site
  const { frame, node } = occurrence
  const { gate } = node
  if (gate === undefined) return undefined
  const { secrets } = frame.state
  let reasoning = ""
  return {
    filter: () => {
      const filter = new ReplyFilter(redactingOf(secrets))
      return (raw) => filter.push(raw)
    },
    clean: (reply) => {
      const split = splitReasoning(reply.text)
      reasoning = [reply.reasoning, split.reasoning].filter((part) => part !== "").join("\n\n")
      return { text: cleanText(split.text, secrets), reasoning }
    },
    through: (text) =>
      gate.open(
        call.callsLater === true
          ? withLaterCalls(draftOf(occurrence, hookSite), hookSite)
          : draftOf(occurrence, hookSite),
        gateContext(call, { reasoning: () => reasoning }),
      )(text),
    deliver: reader && ((text) => reader.deliver(text)),
  }
}

interface GatedText {
  readonly isValue?: boolean
  readonly reasoning?: () => string
}

/** The context of a gate for one reply. */
export const gateContext = (
  { name, site: attempt }: GatedCall,
  { isValue = false, reasoning = () => "" }: GatedText = {},
): GateContext => {
  const { hookSite: site, occurrence } = attempt
  const { pipeline, state } = occurrence.frame
  const made = new Map<string, number>()
  const review: ReviewSite = {
    site,
    pipeline,
    modelAt: (path, use) => attempt.reviewModel(path, use, true),
  }
  // The surroundings are accessors: they are read by those gates that ask for them.
  return Object.create(site.surroundings, {
    with: { value: {} },
    ...(isValue ? { isValue: { value: true } } : {}),
    reasoning: { get: reasoning },
    now: { value: site.clock() },
    step: {
      value: <A extends Json>(step: string, effect: Effect.Effect<A>) =>
        site.keep(below(name, "gate_step", step), effect),
    },
    review: {
      value: ((use, given, options) => {
        const draft: ReviewDraft = isValue ? { ...given, isValue } : given
        const path = () => {
          // A resumed run asks the model again: another text must not get the recorded verdict on this one.
          const about = digestOf([use, draft])
          const number = (made.get(about) ?? 0) + 1
          made.set(about, number)
          return below(name, "gate", gateReview(idOf(use), about, number))
        }
        const reviewed = reviewOne(review, use, draft, path, options)
        return isValue ? state.settled.review(digestOf([use, draft]), reviewed) : reviewed
      }) satisfies GateContext["review"],
    },
    report: {
      value: ((reviewed, verdict) =>
        Effect.sync(() => reportReview(site, reviewed, verdict))) satisfies GateContext["report"],
    },
    pending: {
      value: ((use, text) => {
        const validator = pipeline.validators.get(idOf(use))
        return validator && openEnd(validator, text, optionsOf(use))
      }) satisfies GateContext["pending"],
    },
    done: {
      value: ((record) => doneText(occurrence.frame, site, record)) satisfies GateContext["done"],
    },
    hidePersonal: {
      value: ((text) => state.hidePersonal?.(text) ?? text) satisfies GateContext["hidePersonal"],
    },
  }) as GateContext
}

const idOf = (use: ReviewUse): string => (typeof use === "string" ? use : use.use)

const optionsOf = (use: ReviewUse): JsonObject => (typeof use === "string" ? {} : (use.with ?? {}))

/** Reads the calls with each review; drafts of parts are copied often, which an accessor slows down. */
const withLaterCalls = <D extends object>(draft: D, { surroundings }: HookSite): D =>
  Object.defineProperty(draft, "calls", { get: () => surroundings.calls, enumerable: true })

/** What led to the text. The data is the input of its stage. */
export const draftOf = (
  { frame, node }: KindOccurrence,
  { surroundings }: HookSite,
): Omit<Draft, "text" | "part"> => {
  const { pipeline, scope } = frame
  const request =
    pipeline.session === undefined
      ? textsIn(scope["inputs"]).join("\n")
      : tryEvaluate(pipeline.session.request.evaluate, scope)
  const data = tryEvaluate(node.work.with.evaluate, scope)
  const { turns = [] } = (scope["session"] ?? {}) as unknown as {
    readonly turns?: ReadonlyArray<SessionTurn>
  }
  return {
    request: typeof request === "string" ? request : "",
    turns,
    calls: surroundings.calls,
    data: data instanceof Error ? null : data,
  }
}

/** Without a session the request is what the inputs say: a reviewer of the request must not pass an empty one. */
const textsIn = (value: Json | undefined): ReadonlyArray<string> => {
  if (typeof value === "string") return [value]
  if (Array.isArray(value)) return value.flatMap((item: Json) => textsIn(item))
  return typeof value === "object" && value !== null
    ? Object.values(value).flatMap((item) => textsIn(item as Json))
    : []
}
