/** Validators on a stream: hold back only what can still become a match, and replace matches before they leave. */
import * as Effect from "effect/Effect"
import { severity, type Judged } from "../verdict/Outcome.ts"
import { isBlocked, type Passed } from "./Passage.ts"
import { PartReader } from "./PartReader.ts"
import { marksOf, type Mark } from "./spans.ts"
import { TextUnits } from "./TextUnits.ts"

export class Guards extends PartReader {
  private readonly units = new TextUnits()

  /** What passes of a text, in order. */
  push(text: string): Effect.Effect<ReadonlyArray<Passed>> {
    return this.members.length === 0
      ? Effect.succeed([{ text }])
      : this.read(this.units.push(text), false)
  }

  end(): Effect.Effect<ReadonlyArray<Passed>> {
    return this.members.length === 0 ? Effect.succeed([]) : this.read([this.units.end()], true)
  }

  private read(units: ReadonlyArray<string>, last: boolean): Effect.Effect<ReadonlyArray<Passed>> {
    let out = ""
    const next = (index: number): Effect.Effect<ReadonlyArray<Passed>> =>
      index === units.length
        ? Effect.succeed([{ text: out }])
        : Effect.flatMap(this.advance(units[index]!, last), (passed) => {
            if (isBlocked(passed)) return Effect.succeed([{ text: out }, passed])
            out += passed.text
            return next(index + 1)
          })
    return next(0)
  }

  private advance(unit: string, last: boolean): Effect.Effect<Passed> {
    const { buffer } = this
    buffer.append(unit)
    if (buffer.content === "") return Effect.succeed({ text: "" })
    const text = buffer.content
    const offset = buffer.start
    const part = { start: text.length - unit.length, end: text.length, last }
    return Effect.map(
      Effect.forEach(this.members, (member) =>
        this.panel.judged(member, { ...this.about, text, part }, this.context),
      ),
      (results): Passed => {
        const marks: Array<Mark> = []
        let blocked: Judged | undefined
        for (const [index, { judged, reviewed }] of results.entries()) {
          const { finding } = judged
          if (!this.isNew(finding.spans, offset)) continue
          this.reviews.get(this.members[index]!)!.add(reviewed, judged, offset)
          if (finding.verdict === "block") blocked ??= judged
          else if (severity(finding.verdict) > severity("flag")) {
            marks.push(...marksOf(finding, offset))
          }
        }
        if (blocked !== undefined) return { blocked }
        const before = buffer.left
        const out = buffer.release(last ? buffer.end : offset + this.held(text), marks)
        this.hasReplaced ||= marks.some(({ end }) => end > before && end <= buffer.left)
        buffer.forget(this.carry)
        return { text: out }
      },
    )
  }

  /** A finding on text that has left was acted on before. */
  private isNew(spans: Judged["finding"]["spans"], offset: number): boolean {
    return (
      spans === undefined ||
      spans.length === 0 ||
      spans.some(({ end }) => offset + end > this.buffer.left)
    )
  }

  /** Start of what more text could still turn into a match. */
  private held(text: string): number {
    return Math.min(
      ...this.members.map(
        ({ facts, use }) =>
          this.context.pending(use, text) ?? Math.max(0, text.length - (facts.longest ?? 0)),
      ),
    )
  }
}
