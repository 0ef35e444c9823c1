/** One reply whose text passes a gate on its way to its stage and its host. */
import * as Effect from "effect/Effect"
import type { Stream } from "effect/Stream"
import {
  ModelFailed,
  toFailureRecord,
  type Failure,
  type ModelReply,
  type Released,
  type ReportedFinding,
} from "@planloom/plugin/effect"
import { loadedOnce } from "@planloom/plugin/late"
import { Handoff } from "./Handoff.ts"
import type { ReplyReader } from "./ReplyReader.ts"
import { settledText } from "./settledText.ts"

/** What stands between the text of a reply and everything that reads it. */
export interface ReplyGate {
  /** Takes out, text by text, what no gate may see; made anew for each request. */
  readonly filter: () => (raw: string) => string
  /** The same of a whole reply. */
  readonly clean: (reply: Pick<ModelReply, "text" | "reasoning">) => {
    readonly text: string
    readonly reasoning: string
  }
  readonly through: (text: Stream<string, ModelFailed>) => Stream<Released, Failure>
  /** Gives text to the host; undefined if no host reads parts. */
  readonly deliver: ((text: string) => Effect.Effect<void> | undefined) | undefined
}

type Reply = Omit<ModelReply, "model">

/** A reply whose text is what the gate has settled; its reasoning stays in the gate. */
export type GatedReply = Reply & { readonly findings: ReadonlyArray<ReportedFinding> }

/** One request as its gate sees it. */
export interface GatedRequest {
  /** Name of the model, for failures. */
  readonly model: string
  readonly gate: ReplyGate
  /** Asks the model; the reader is given its text. */
  readonly ask: (reader: ReplyReader | undefined) => Effect.Effect<Reply, ModelFailed>
  /** What counts of a reply that the gate did not read to its end: its request was interrupted. */
  readonly interrupted: Effect.Effect<Reply>
}

const streamModule = loadedOnce(() => import("effect/Stream"))

/** Fails with `ModelFailed` when the gate fails: then nothing more has left. */
export const throughGate = ({
  ask,
  gate,
  interrupted,
  model,
}: GatedRequest): Effect.Effect<GatedReply, ModelFailed> =>
  Effect.flatMap(streamModule(), (Stream) =>
    Effect.suspend(() => {
      const { clean, deliver } = gate
      const filter = gate.filter()
      let reply: Reply | undefined
      let given = ""
      const asked = (handoff: Handoff<ModelFailed>) => {
        const push = (raw: string) => {
          const text = filter(raw)
          given += text
          return text === "" ? undefined : handoff.write(text)
        }
        const reader = deliver && { open: () => undefined, push }
        return Effect.flatMap(ask(reader), (whole) => {
          reply = { ...whole, ...clean(whole) }
          const { text } = reply
          // Text that has turned out to be reasoning is void: the gate then sees the whole again, below.
          const rest = text.startsWith(given) ? text.slice(given.length) : ""
          return rest === "" ? Effect.void : handoff.write(rest)
        })
      }
      const texts = Stream.unwrap(
        Effect.suspend(() => {
          const handoff = new Handoff<ModelFailed>()
          const asking = Effect.onExit(asked(handoff), (exit) =>
            Effect.sync(() => handoff.end(exit)),
          )
          const read = Stream.fromPull(Effect.succeed(handoff.read))
          return Effect.as(Effect.forkScoped(asking), read)
        }),
      )
      const settle = (stream: Stream<string, ModelFailed>, release: typeof deliver) =>
        Effect.mapError(settledText(Stream, gate.through(stream), release), (failure) =>
          failure instanceof ModelFailed
            ? failure
            : new ModelFailed({ ...toFailureRecord(failure), model }),
        )
      return Effect.flatMap(settle(texts, deliver), (first) =>
        Effect.flatMap(
          reply === undefined || reply.text.startsWith(given)
            ? Effect.succeed(first)
            : settle(Stream.make(reply.text), undefined),
          ({ blocked, findings, stop, text }) =>
            Effect.map(reply === undefined ? interrupted : Effect.succeed(reply), (one) => ({
              ...one,
              reasoning: "",
              ...(stop === true ? { toolCalls: [], finish: "content_filter" as const } : {}),
              ...(blocked === true ? { blocked } : {}),
              text,
              findings,
            })),
        ),
      )
    }),
  )
