/** Opens the gate of a stage for one reply. */
import type * as Effect from "effect/Effect"
import type { CallContext, Draft, Json, SessionTurn } from "@planloom/plugin/effect"
import { splitReasoning, type ReplyGate, ReplyFilter, type ReplyParts } from "@planloom/reply"
import type { HookSite } from "../../hook/HookSite.ts"
import type { KindOccurrence } from "../stage/Occurrence.ts"
import { tryEvaluate } from "../stage/tryEvaluate.ts"
import { cleanText, redactingOf } from "./openReply.ts"

/** `name` is that of the call in the record: steps of the gate are recorded under it. */
export const openGate = (
  occurrence: KindOccurrence,
  site: HookSite,
  name: string,
  reader: ReplyParts | undefined,
): ReplyGate | undefined => {
  const { frame, node } = occurrence
  const { gate } = node
  if (gate === undefined) return undefined
  const { secrets } = frame.state
  return {
    filter: () => {
      const filter = new ReplyFilter(redactingOf(secrets))
      return (raw) => filter.push(raw)
    },
    clean: ({ reasoning, text }) => {
      const split = splitReasoning(text)
      return {
        text: cleanText(split.text, secrets),
        reasoning: [reasoning, split.reasoning].filter((part) => part !== "").join("\n\n"),
      }
    },
    through: (text) => gate.open(draftOf(occurrence, site), contextOf(site, name))(text),
    deliver: reader && ((text) => reader.deliver(text)),
  }
}

const contextOf = (site: HookSite, name: string): CallContext =>
  // The surroundings are accessors: they are read by those gates that ask for them.
  Object.create(site.surroundings, {
    with: { value: {} },
    now: { value: site.clock() },
    step: {
      value: <A extends Json>(step: string, effect: Effect.Effect<A>) =>
        site.keep(`${name}/gate/${step}`, effect),
    },
  }) as CallContext

/** What led to the text. The data is the input of its stage. */
const draftOf = (
  { frame, node }: KindOccurrence,
  { surroundings }: HookSite,
): Omit<Draft, "text" | "part"> => {
  const { pipeline, scope } = frame
  const request = pipeline.session && tryEvaluate(pipeline.session.request.evaluate, scope)
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
