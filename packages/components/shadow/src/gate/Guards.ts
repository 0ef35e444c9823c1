/** Validators on a stream: hold back only what can still become a match, and replace matches before they leave. */
import * as Effect from "effect/Effect"
import { severity, type Judged } from "../verdict/Outcome.ts"
import { Guard } from "./Guard.ts"
import { isBlocked, type Passed } from "./Passage.ts"
import { PartReader } from "./PartReader.ts"
import { marksOf } from "./spans.ts"
import { TextUnits } from "./TextUnits.ts"

export class Guards extends PartReader {
  private readonly units = new TextUnits()
  private readonly guards: ReadonlyArray<Guard> = this.members.map((member) => new Guard(member))

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
    const { buffer, guards } = this
    buffer.append(unit)
    if (buffer.end === 0) return Effect.succeed({ text: "" })
    return Effect.map(
      Effect.forEach(guards, (guard) => this.reviewed(guard, unit.length, last)),
      (blocks): Passed => {
        const blocked = blocks.find((block) => block !== undefined)
        const marks = guards.flatMap((guard) => guard.marks)
        if (blocked !== undefined) return { blocked, text: buffer.rest(marks) }
        const out = buffer.release(Math.min(...guards.map(({ decided }) => decided)), marks)
        buffer.forgetBefore(Math.min(...guards.map(({ start }) => start)))
        for (const guard of guards) guard.marks = guard.marks.filter((one) => buffer.isAhead(one))
        return { text: out }
      },
    )
  }

  /** The review of one validator; undefined unless it blocks. `added`: characters that no validator has read. */
  private reviewed(guard: Guard, added: number, last: boolean): Effect.Effect<Judged | undefined> {
    const { about, context, panel } = this
    const { member, start } = guard
    const text = this.buffer.from(start)
    const part = { start: text.length - added, end: text.length, last }
    return Effect.map(
      panel.judged(member, { ...about, text, part }, context),
      ({ judged, reviewed }) => {
        const { finding } = judged
        const { spans = [], verdict } = finding
        const reviews = this.reviews.get(member)!
        if (verdict === "block" && (spans.length === 0 || spans.some((one) => guard.isNew(one)))) {
          reviews.add(reviewed, judged, start)
          return judged
        }
        const open = last ? text.length : context.pending(member.use, text)
        if (typeof open === "object") {
          const failed = panel.failed(member, open)
          reviews.add(failed.reviewed, failed.judged, start)
          if (failed.judged.finding.verdict === "block") return failed.judged
        }
        const settled = guard.settle(
          spans,
          typeof open === "number" ? open : Math.max(0, text.length - (member.facts.longest ?? 0)),
        )
        reviews.add(reviewed, judged, start, settled)
        if (severity(verdict) > severity("flag")) {
          guard.marks = [...guard.marks, ...marksOf({ ...finding, spans: settled }, start)]
          this.hasReplaced ||= settled.length > 0
        }
        return undefined
      },
    )
  }
}
