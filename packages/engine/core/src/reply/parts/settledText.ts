/** Reads what leaves a gate to its end, which is the settled text. */
import * as Effect from "effect/Effect"
import type * as Streams from "effect/Stream"
import {
  reportedFinding,
  StageFailed,
  type Failure,
  type Released,
  type ReportedFinding,
} from "@planloom/plugin/effect"

type Ended = Extract<Released, { readonly type: "settled" }>

/** The end of a gate, of whose findings no word of a reviewer leaves. Their rules are with the reviewers that declare them. */
export interface Settled extends Omit<Ended, "findings"> {
  readonly findings: ReadonlyArray<ReportedFinding>
}

/** `streams` is the module: only gated replies load it. */
export const settledText = (
  streams: typeof Streams,
  released: Streams.Stream<Released, Failure>,
  deliver?: (text: string) => Effect.Effect<void> | undefined,
): Effect.Effect<Settled, Failure> =>
  Effect.suspend(() => {
    let settled: Ended | undefined
    const read = streams.runForEachArray(released, (parts) => {
      let text = ""
      for (const part of parts) {
        if (part.type === "settled") settled = part
        else text += part.text
      }
      return text === "" ? Effect.void : (deliver?.(text) ?? Effect.void)
    })
    return Effect.flatMap(read, () =>
      settled === undefined
        ? Effect.fail(
            new StageFailed({
              class: "internal",
              message: "the gate ended without a settled text",
            }),
          )
        : Effect.succeed({
            ...settled,
            findings: settled.findings.map(({ rules: _, ...finding }) => reportedFinding(finding)),
          }),
    )
  })
