/** Shows that a validator finds the same in a streamed text as in the whole. */
import * as fc from "fast-check"
import { draft } from "./of.ts"
import { cases } from "../../../../.config/cases.ts"
import type { JsonObject, Validator } from "@planloom/plugin/effect"

/** Reads each part as a gate does: from the lookbehind before the open end. Releases what is settled, with places replaced. */
const streamed = (
  { lookbehind, pending, validate }: Validator,
  options: JsonObject,
  text: string,
  sizes: ReadonlyArray<number>,
): string => {
  let released = ""
  let settled = 0
  for (let end = 0, part = 0; end < text.length; part++) {
    end = Math.min(text.length, end + sizes[part % sizes.length]!)
    const from = Math.max(0, settled - lookbehind!)
    const read = text.slice(from, end)
    const places = (validate(read, options, draft(read)).spans ?? [])
      .map((span) => ({ ...span, start: from + span.start, end: from + span.end }))
      .filter((span) => span.end > settled)
    const open = end === text.length ? end : Math.max(settled, from + pending!(read, options))
    const across = places.find((span) => span.start < open && span.end > open)
    const until = across?.start ?? open
    for (const span of places) {
      if (span.end > until) break
      released += `${text.slice(settled, span.start)}[${span.text ?? ""}]`
      settled = span.end
    }
    released += text.slice(settled, until)
    settled = Math.max(settled, until)
  }
  return released
}

/** A text of these fragments, cut anywhere, in which the validator finds something else than in the whole text; or null. */
export const streamedOtherwise = (
  validator: Validator,
  options: JsonObject,
  fragments: ReadonlyArray<string>,
): unknown =>
  fc.check(
    fc.property(
      fc.array(fc.constantFrom(...fragments, " ", " ", ".", "a", "1", "\n", "é"), {
        maxLength: 12,
      }),
      fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 8 }),
      (pieces, sizes) => {
        const text = pieces.join("")
        const whole = streamed(validator, options, text, [Math.max(1, text.length)])
        return streamed(validator, options, text, sizes) === whole
      },
    ),
    { numRuns: cases(300, 4) },
  ).counterexample

/** Texts of repeated units, on which quadratic time exceeds the limit of a test. */
export const longTexts = (...units: ReadonlyArray<string>): ReadonlyArray<string> =>
  ["a", "1", " ", "a.", "1 ", "-", ...units].map((unit) =>
    unit.repeat(Math.ceil(50_000 / unit.length)),
  )
