/** Immutable postings of documents in typed arrays; documents can only be marked as dead. */

/** Term occurrences of one document: `terms[i]` occurs `counts[i]` times in `fields[i]`; repeated pairs add up. */
export interface Occurrences {
  readonly terms: ReadonlyArray<number>
  readonly fields: ReadonlyArray<number>
  readonly counts: ReadonlyArray<number>
  /** Occurrences per field. */
  readonly lengths: ReadonlyArray<number>
}

/** Arrays of a segment. */
interface Packed {
  readonly size: number
  readonly fieldCount: number
  /** Occurrences per document and field, ordered by document, then field. */
  readonly lengths: Uint32Array
  /** The postings, ordered by term, then document. */
  readonly documents: Uint32Array
  readonly fields: Uint8Array
  readonly counts: Uint8Array
  readonly slots: ReadonlyMap<number, number>
  /** Start offset of each slot's postings, and the end of the last. */
  readonly starts: Uint32Array
  /** Documents per term, including dead ones. */
  readonly documentCounts: Uint32Array
}

export class Segment {
  readonly size: number
  readonly fieldCount: number
  /** 1 for documents in the index, 0 for removed ones. */
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
        const slot = slotFor(slots, sizes, term)
        sizes[slot]!++
        slotOf[entry++] = slot
      }
    const room = allocate(sizes)
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

  /** Merges the live documents of segments in order, as if they had been added together. */
  static merge(parts: ReadonlyArray<Segment>): Segment {
    const fieldCount = parts[0]!.fieldCount
    let size = 0
    const positions = parts.map(({ alive }) =>
      Uint32Array.from(alive, (one) => (size += one) - one),
    )
    const lengths = new Uint32Array(size * fieldCount)
    const slots = new Map<number, number>()
    const sizes: Array<number> = []
    for (const part of parts)
      for (const [term, old] of part.slots) {
        const liveCount = part.livePostings(old)
        if (liveCount > 0) sizes[slotFor(slots, sizes, term)]! += liveCount
      }
    const room = allocate(sizes)
    const { documents, counts, documentCounts, fields, next } = room
    parts.forEach((part, index) => {
      const position = positions[index]!
      for (let old = 0; old < part.size; old++)
        if (part.alive[old] === 1)
          lengths.set(
            part.lengths.subarray(old * fieldCount, (old + 1) * fieldCount),
            position[old]! * fieldCount,
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
          documents[at] = position[document]!
          fields[at] = part.fields[from]!
          counts[at] = part.counts[from]!
        }
      }
    })
    return new Segment({ size, fieldCount, lengths, slots, ...room })
  }

  private livePostings(slot: number): number {
    const [start, end] = [this.starts[slot]!, this.starts[slot + 1]!]
    if (this.dead === 0) return end - start
    let count = 0
    for (let at = start; at < end; at++) count += this.alive[this.documents[at]!]!
    return count
  }

  /** Marks a document as dead; call it once per document. */
  markDead(document: number): void {
    this.alive[document] = 0
    this.dead++
  }

  /** The number of live documents with a term. */
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

  /** Start and end of a term's postings; `start === end` if it never occurs. */
  range(term: number): readonly [start: number, end: number] {
    const slot = this.slots.get(term)
    return slot === undefined ? [0, 0] : [this.starts[slot]!, this.starts[slot + 1]!]
  }
}

const slotFor = (slots: Map<number, number>, sizes: Array<number>, term: number): number => {
  let slot = slots.get(term)
  if (slot === undefined) slots.set(term, (slot = sizes.push(0) - 1))
  return slot
}

/** Allocates empty postings for slots of given sizes; `next` is each slot's write position. */
const allocate = (sizes: ReadonlyArray<number>) => {
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
