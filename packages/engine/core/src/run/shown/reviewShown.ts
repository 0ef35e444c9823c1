/** Passes what is shown through the gates of the stages that wrote it: each text in it, unless it has settled before. */
import * as Effect from "effect/Effect"
import {
  StageFailed,
  toFailureRecord,
  type Failure,
  type Gate,
  type Json,
} from "@planloom/plugin/effect"
import { below } from "@planloom/plugin/segments"
import { loadedOnce } from "@planloom/plugin/late"
import { settledText } from "../../reply/parts/settledText.ts"
import type { Writer, Writers } from "../../pipeline/ModelTexts.ts"
import type { Frame } from "../Frame.ts"
import { digestOf } from "../parts/digestOf.ts"
import { draftOf, gateContext } from "../parts/openGate.ts"
import type { NestedRunner } from "../schedule/NestedRunner.ts"
import { AttemptContext } from "../stage/attempt/AttemptContext.ts"
import { Occurrence, type KindOccurrence } from "../stage/Occurrence.ts"
import type { Shown, ShownSite } from "./ShownSite.ts"
import { withTexts, type ChangedText, type ShownText } from "./ShownTexts.ts"

const streamModule = loadedOnce(() => import("effect/Stream"))

/** Texts that are reviewed at once. */
const AT_ONCE = 4

/** Recorded: a resumed run shows what it has shown. Fails if a gate does. */
export const reviewShown = <A extends Json>(
  site: ShownSite,
  value: A,
  texts: ReadonlyArray<ShownText>,
): Effect.Effect<Shown<A>, StageFailed> => {
  const { frame } = site
  if (texts.every(({ writers }) => gatesOf(writers, frame).size === 0)) {
    return Effect.succeed({ value, isBlocked: false })
  }
  const { journal } = frame.state
  // Another value, such as that of a run which was reset, must not pass by the record of this one.
  const name = `${site.name}:${digestOf(value)}`
  const made = Effect.suspend(() => changesOf({ ...site, name }, texts))
  return Effect.map(
    Effect.mapError(
      journal.step(name, made as unknown as Effect.Effect<Json, Failure>),
      (failure) => new StageFailed(toFailureRecord(failure)),
    ),
    (kept) => {
      const changes = kept as unknown as ReadonlyArray<ChangedText>
      return {
        value: withTexts(value, changes),
        isBlocked: changes.some(({ isBlocked }) => isBlocked),
      }
    },
  )
}

/** The gates that a text of these writers must pass, each with the stage under whose name it is reviewed. */
const gatesOf = (writers: Writers, { around }: Frame): ReadonlyMap<Gate, Writer> => {
  const gates = new Map<Gate, Writer>()
  for (const writer of writers) {
    const gate = writer.gate ?? around
    if (gate !== undefined && !gates.has(gate)) gates.set(gate, writer)
  }
  return gates
}

interface Settled {
  readonly text: string
  readonly isBlocked: boolean
}

const changesOf = (
  site: ShownSite,
  texts: ReadonlyArray<ShownText>,
): Effect.Effect<ReadonlyArray<ChangedText>, Failure> => {
  const byText = new Map<string, Array<ShownText>>()
  for (const one of texts) byText.set(one.text, [...(byText.get(one.text) ?? []), one])
  return Effect.map(
    Effect.forEach(
      byText,
      ([text, places], index) => {
        const writers = new Set(places.flatMap((place) => [...place.writers]))
        const own = { ...site, name: below(site.name, "text", index + 1) }
        return Effect.map(settle(own, text, writers), ({ isBlocked, text: settled }) =>
          settled === text && !isBlocked
            ? []
            : places.map(({ isName, path }) => ({ path, isName, text: settled, isBlocked })),
        )
      },
      { concurrency: AT_ONCE },
    ),
    (changes) => changes.flat(),
  )
}

const settle = (
  site: ShownSite,
  given: string,
  writers: Writers,
): Effect.Effect<Settled, Failure> =>
  Effect.reduce(
    gatesOf(writers, site.frame),
    (): Settled => ({ text: given, isBlocked: false }),
    (before, [gate, writer]) => {
      const { settled } = site.frame.state
      if (settled.has(gate, before.text)) return Effect.succeed(before)
      return Effect.map(through(site, gate, writer, before.text), ({ isBlocked, text }) => {
        settled.add(gate, text)
        return { text, isBlocked: isBlocked || before.isBlocked }
      })
    },
  )

const through = (
  { frame, name, path }: ShownSite,
  gate: Gate,
  writer: Writer,
  text: string,
): Effect.Effect<Settled, Failure> =>
  Effect.flatMap(streamModule(), (streams) => {
    const at = path ?? `${frame.prefix}${writer.id}`
    const occurrence = new Occurrence(writer, frame, at, nothingInside, undefined, undefined)
    const attempt = new AttemptContext(occurrence as KindOccurrence, 1, undefined)
    const context = gateContext({ site: attempt, name }, { isValue: true })
    const open = gate.open(draftOf(attempt.occurrence, attempt.hookSite), context)
    return Effect.map(settledText(streams, open(streams.make(text))), (settled) => ({
      text: settled.text,
      isBlocked:
        settled.blocked === true || settled.findings.some(({ verdict }) => verdict === "block"),
    }))
  })

/** A review runs no stages. */
const nothingInside: NestedRunner = {
  block: () => Effect.void,
  workflow: () => Effect.succeed({}),
}
