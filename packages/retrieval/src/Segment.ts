/** Some documents' occurrences of terms, packed into typed arrays. What is in never moves; it can only die. */

/** What one document says: `terms[i]` occurs `counts[i]` times in field `fields[i]`; the same pair may come again and adds up. */
export interface Occurrences {
  readonly terms: ReadonlyArray<number>
  readonly fields: ReadonlyArray<number>
  readonly counts: ReadonlyArray<number>
  /** Occurrences per field. */
  readonly lengths: ReadonlyArray<number>
}

/** What a segment is made of. */
interface Packed {
  readonly size: number
  readonly fieldCount: number
  /** Occurrences per document and field, field after field of one document. */
  readonly lengths: Uint32Array
  /** The postings, term after term; within a term, document after document. */
  readonly documents: Uint32Array
  readonly fields: Uint8Array
  readonly counts: Uint8Array
  readonly slots: ReadonlyMap<number, number>
  /** Where the postings of each slot begin, and where the last ones end. */
  readonly starts: Uint32Array
  /** Documents per term, dead ones too. */
  readonly documentCounts: Uint32Array
}

export class Segment {
  readonly size: number
  readonly fieldCount: number
  /** 1 while the document is in the index. */
  readonly alive: Uint8Array
  readonly lengths: Uint32Array
  readonly documents: Uint32Array
  readonly fields: Uint8Array
  readonly counts: Uint8Array
  private readonly slots: ReadonlyMap<number, number>
  private readonly starts: Uint32Array
  private readonly documentCounts: Uint32Array
  private dead = 0

  private constructor(packed: Packed) {
    this.size = packed.size
    this.fieldCount = packed.fieldCount
    this.alive = new Uint8Array(packed.size).fill(1)
    this.lengths = packed.lengths
    this.documents = packed.documents
    this.fields = packed.fields
    this.counts = packed.counts
    this.slots = packed.slots
    this.starts = packed.starts
    this.documentCounts = packed.documentCounts
  }

  static of(occurrences: ReadonlyArray<Occurrences>, fieldCount: number): Segment {
    const size = occurrences.length
    const lengths = new Uint32Array(size * fieldCount)
    const slots = new Map<number, number>()
    const slotOf = new Uint32Array(occurrences.reduce((sum, { terms }) => sum + terms.length, 0))
    const sizes: Array<number> = []
    let entry = 0
    for (const { terms } of occurrences)
      for (const term of terms) {
        const slot = slotIn(slots, sizes, term)
        sizes[slot]!++
        slotOf[entry++] = slot
      }
    const room = roomFor(sizes)
    const { documents, counts, documentCounts, fields, next, starts } = room
    entry = 0
    occurrences.forEach((one, document) => {
      lengths.set(one.lengths, document * fieldCount)
      for (let i = 0; i < one.counts.length; i++) {
        const slot = slotOf[entry++]!
        const at = next[slot]!++
        if (at === starts[slot] || documents[at - 1] !== document) documentCounts[slot]!++
        documents[at] = document
        fields[at] = one.fields[i]!
        counts[at] = Math.min(one.counts[i]!, 255)
      }
    })
    return new Segment({ size, fieldCount, lengths, slots, ...room })
  }

  /** The living documents of some segments in their order, as if they had come together. */
  static joined(parts: ReadonlyArray<Segment>): Segment {
    const fieldCount = parts[0]!.fieldCount
    let size = 0
    const places = parts.map(({ alive }) => Uint32Array.from(alive, (one) => (size += one) - one))
    const lengths = new Uint32Array(size * fieldCount)
    const slots = new Map<number, number>()
    const sizes: Array<number> = []
    for (const part of parts)
      for (const [term, old] of part.slots) {
        const living = part.livingPostings(old)
        if (living > 0) sizes[slotIn(slots, sizes, term)]! += living
      }
    const room = roomFor(sizes)
    const { documents, counts, documentCounts, fields, next } = room
    parts.forEach((part, index) => {
      const place = places[index]!
      for (let old = 0; old < part.size; old++)
        if (part.alive[old] === 1)
          lengths.set(
            part.lengths.subarray(old * fieldCount, (old + 1) * fieldCount),
            place[old]! * fieldCount,
          )
      for (const [term, old] of part.slots) {
        const slot = slots.get(term)
        if (slot === undefined) continue
        let last = -1
        for (let from = part.starts[old]!; from < part.starts[old + 1]!; from++) {
          const document = part.documents[from]!
          if (part.alive[document] === 0) continue
          const at = next[slot]!++
          if (document !== last) documentCounts[slot]!++
          last = document
          documents[at] = place[document]!
          fields[at] = part.fields[from]!
          counts[at] = part.counts[from]!
        }
      }
    })
    return new Segment({ size, fieldCount, lengths, slots, ...room })
  }

  private livingPostings(slot: number): number {
    const [start, end] = [this.starts[slot]!, this.starts[slot + 1]!]
    if (this.dead === 0) return end - start
    let count = 0
    for (let at = start; at < end; at++) count += this.alive[this.documents[at]!]!
    return count
  }

  /** Lets a document die; once is enough. */
  bury(document: number): void {
    this.alive[document] = 0
    this.dead++
  }

  /** In how many living documents a term occurs. */
  frequency(term: number): number {
    const slot = this.slots.get(term)
    if (slot === undefined) return 0
    if (this.dead === 0) return this.documentCounts[slot]!
    let count = 0
    let last = -1
    for (let at = this.starts[slot]!; at < this.starts[slot + 1]!; at++) {
      const document = this.documents[at]!
      if (document !== last) count += this.alive[document]!
      last = document
    }
    return count
  }

  /** Where a term's postings start and end; `start === end` when nobody says it. */
  range(term: number): readonly [start: number, end: number] {
    const slot = this.slots.get(term)
    return slot === undefined ? [0, 0] : [this.starts[slot]!, this.starts[slot + 1]!]
  }
}

const slotIn = (slots: Map<number, number>, sizes: Array<number>, term: number): number => {
  let slot = slots.get(term)
  if (slot === undefined) slots.set(term, (slot = sizes.push(0) - 1))
  return slot
}

/** Empty postings for slots of some sizes; `next` says where each slot's next one goes. */
const roomFor = (sizes: ReadonlyArray<number>) => {
  const starts = new Uint32Array(sizes.length + 1)
  for (let slot = 0; slot < sizes.length; slot++) starts[slot + 1] = starts[slot]! + sizes[slot]!
  const total = starts[sizes.length]!
  return {
    starts,
    next: starts.slice(0, sizes.length),
    documents: new Uint32Array(total),
    fields: new Uint8Array(total),
    counts: new Uint8Array(total),
    documentCounts: new Uint32Array(sizes.length),
  }
}
