/** Packs events for storage: each shape once, times as offsets, and an output of a step as the step's name. */
import type { Json, RunEvent } from "@planloom/plugin/effect"

/** Shortest output, in characters of JSON, that an event replaces with a reference to its step. */
export const MIN_REFERENCE_CHARS = 512

interface Packed {
  readonly seq: number
  /** Epoch milliseconds of the first event; the others are relative to it. */
  readonly at: number
  /** An event type, then field names. `@output` stands for a referenced `output`. */
  readonly shapes: ReadonlyArray<ReadonlyArray<string>>
  /** Index of the shape, milliseconds since `at`, then the values in the order of the names. */
  readonly events: ReadonlyArray<readonly [shape: number, after: number, ...values: Array<Json>]>
}

const REFERENCE = "@output"

type Fields = { readonly [field: string]: Json | undefined }

/** `stepOf` returns the step with the same output as the event at an index, if any. */
export const packEvents = (
  events: ReadonlyArray<RunEvent>,
  stepOf: (index: number) => string | undefined,
): Json => {
  const { at, seq } = events[0]!
  const shapes: Array<ReadonlyArray<string>> = []
  const rows: Array<ReadonlyArray<Json>> = []
  for (let index = 0; index < events.length; index++) {
    const event = events[index]!
    // Sequence numbers with gaps cannot be packed; the reader accepts unpacked events.
    if (event.seq !== seq + index) return events as unknown as Json
    const step = stepOf(index)
    const shape: Array<string> = [event.type]
    const row: Array<Json> = [0, event.at - at]
    const fields = event as unknown as Fields
    for (const name in fields) {
      const value = fields[name]
      if (name === "type" || name === "seq" || name === "at" || value === undefined) continue
      const refers = name === "output" && step !== undefined
      shape.push(refers ? REFERENCE : name)
      row.push(refers ? step : value)
    }
    const known = shapes.findIndex((other) => isSame(other, shape))
    row[0] = known < 0 ? shapes.push(shape) - 1 : known
    rows.push(row)
  }
  return { seq, at, shapes, events: rows }
}

const isSame = (one: ReadonlyArray<string>, other: ReadonlyArray<string>): boolean => {
  if (one.length !== other.length) return false
  for (let place = 0; place < one.length; place++) if (one[place] !== other[place]) return false
  return true
}

/** `outputOf` returns the output of a step. */
export const unpackEvents = (
  body: Json,
  outputOf: (step: string) => Json,
): ReadonlyArray<RunEvent> => {
  if (Array.isArray(body)) return body as unknown as ReadonlyArray<RunEvent>
  const { at, events, seq, shapes } = body as unknown as Packed
  return events.map(([shape, after, ...values], index) => {
    const [type, ...names] = shapes[shape]!
    const event: { [field: string]: Json } = { type: type! }
    for (const [place, name] of names.entries()) {
      const value = values[place]!
      if (name === REFERENCE) event["output"] = outputOf(value as string)
      else event[name] = value
    }
    event["seq"] = seq + index
    event["at"] = at + after
    return event as unknown as RunEvent
  })
}

/** The referenced steps by index of the event. */
export const referencesIn = (body: Json): ReadonlyArray<string | undefined> => {
  if (Array.isArray(body)) return []
  const { events, shapes } = body as unknown as Packed
  const places = shapes.map((names) => names.indexOf(REFERENCE))
  // A shape starts with its type, an event with its shape and its time.
  return events.map((event) => {
    const place = places[event[0]]!
    return place < 0 ? undefined : (event[place + 1] as string)
  })
}
