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
export interface SegmentArrays {
  /** Occurrences per document and field, ordered by document, then field. */
  readonly lengths: Uint32Array
  /** The terms, ascending; a term's position is its slot. */
  readonly terms: Uint32Array
  /** Start offset of each slot's postings, and the end of the last. */
  readonly starts: Uint32Array
  /** The postings, ordered by slot, then document. */
  readonly documents: DocumentNumbers
  readonly fields: Uint8Array
  readonly counts: Uint8Array
  /** Documents per slot, including dead ones. */
  readonly documentCounts: Uint32Array
}

/** Two bytes each where they suffice: postings are most of an index. */
export type DocumentNumbers = Uint16Array | Uint32Array

export const documentNumbers = (size: number) => (size <= 0x10000 ? Uint16Array : Uint32Array)

export class Segment {
  readonly size: number
  readonly fieldCount: number
  readonly arrays: SegmentArrays
  /** 1 for documents in the index, 0 for removed ones. */
  readonly alive: Uint8Array
  private dead = 0

  constructor(size: number, fieldCount: number, arrays: SegmentArrays) {
    this.size = size
    this.fieldCount = fieldCount
    this.arrays = arrays
    this.alive = new Uint8Array(size).fill(1)
  }

  static of(occurrences: ReadonlyArray<Occurrences>, fieldCount: number): Segment {
    const lengths = new Uint32Array(occurrences.length * fieldCount)
    const room = new Room()
    let total = 0
    for (const { terms } of occurrences) total += terms.length
    const entries = new Uint32Array(total)
    let entry = 0
    for (const { terms } of occurrences)
      for (const term of terms) entries[entry++] = room.reserve(term, 1)
    const { arrays, next } = room.allocate(lengths, occurrences.length)
    const { documents, fields, counts, documentCounts } = arrays
    entry = 0
    occurrences.forEach((one, document) => {
      lengths.set(one.lengths, document * fieldCount)
      for (let i = 0; i < one.counts.length; i++) {
        const slot = room.slots[entries[entry++]!]!
        const at = next[slot]!++
        if (at === arrays.starts[slot] || documents[at - 1] !== document) documentCounts[slot]!++
        documents[at] = document
        fields[at] = one.fields[i]!
        counts[at] = Math.min(one.counts[i]!, 255)
      }
    })
    return new Segment(occurrences.length, fieldCount, arrays)
  }

  /** Merges the live documents of segments in order, as if they had been added together. */
  static merge(parts: ReadonlyArray<Segment>): Segment {
    const fieldCount = parts[0]!.fieldCount
    let size = 0
    const positions = parts.map(({ alive }) =>
      Uint32Array.from(alive, (one) => (size += one) - one),
    )
    const lengths = new Uint32Array(size * fieldCount)
    const room = new Room()
    const reserved = parts.map((part) =>
      Int32Array.from(part.arrays.terms, (term, slot) => {
        const live = part.livePostings(slot)
        return live === 0 ? -1 : room.reserve(term, live)
      }),
    )
    const { arrays: into, next } = room.allocate(lengths, size)
    const { documents, fields, counts, documentCounts } = into
    parts.forEach(({ alive, arrays, size: partSize }, index) => {
      const position = positions[index]!
      for (let old = 0; old < partSize; old++)
        if (alive[old] === 1)
          lengths.set(
            arrays.lengths.subarray(old * fieldCount, (old + 1) * fieldCount),
            position[old]! * fieldCount,
          )
      reserved[index]!.forEach((place, old) => {
        if (place === -1) return
        const slot = room.slots[place]!
        let last = -1
        for (let from = arrays.starts[old]!; from < arrays.starts[old + 1]!; from++) {
          const document = arrays.documents[from]!
          if (alive[document] === 0) continue
          const at = next[slot]!++
          if (document !== last) documentCounts[slot]!++
          last = document
          documents[at] = position[document]!
          fields[at] = arrays.fields[from]!
          counts[at] = arrays.counts[from]!
        }
      })
    })
    return new Segment(size, fieldCount, into)
  }

  private livePostings(slot: number): number {
    const { documents, starts } = this.arrays
    const [start, end] = [starts[slot]!, starts[slot + 1]!]
    if (this.dead === 0) return end - start
    let count = 0
    for (let at = start; at < end; at++) count += this.alive[documents[at]!]!
    return count
  }

  /** Marks a document as dead; call it once per document. */
  markDead(document: number): void {
    this.alive[document] = 0
    this.dead++
  }

  /** The number of live documents with a term. */
  frequency(term: number): number {
    const slot = this.slotOf(term)
    if (slot === -1) return 0
    const { documentCounts, documents, starts } = this.arrays
    if (this.dead === 0) return documentCounts[slot]!
    let count = 0
    let last = -1
    for (let at = starts[slot]!; at < starts[slot + 1]!; at++) {
      const document = documents[at]!
      if (document !== last) count += this.alive[document]!
      last = document
    }
    return count
  }

  /** Start and end of a term's postings; `start === end` if it never occurs. */
  range(term: number): readonly [start: number, end: number] {
    const slot = this.slotOf(term)
    const { starts } = this.arrays
    return slot === -1 ? [0, 0] : [starts[slot]!, starts[slot + 1]!]
  }

  /** The slot of a term; -1 if it never occurs. */
  private slotOf(term: number): number {
    const { terms } = this.arrays
    let low = 0
    let high = terms.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (terms[middle]! < term) low = middle + 1
      else high = middle
    }
    return terms[low] === term ? low : -1
  }
}

/** Room for postings: reserved term by term, then allocated at once, in the order of the terms. */
class Room {
  private readonly places = new Map<number, number>()
  private readonly sizes: Array<number> = []
  /** Slots by place, once allocated. */
  slots = new Uint32Array(0)

  /** Reserves postings of a term and returns the term's place. */
  reserve(term: number, postings: number): number {
    let place = this.places.get(term)
    if (place === undefined) this.places.set(term, (place = this.sizes.push(0) - 1))
    this.sizes[place]! += postings
    return place
  }

  /** Empty arrays for documents of these lengths; `next` is each slot's write position. */
  allocate(lengths: Uint32Array, size: number): { arrays: SegmentArrays; next: Uint32Array } {
    const terms = Uint32Array.from(this.places.keys()).sort()
    const starts = new Uint32Array(terms.length + 1)
    this.slots = new Uint32Array(terms.length)
    terms.forEach((term, slot) => {
      const place = this.places.get(term)!
      this.slots[place] = slot
      starts[slot + 1] = starts[slot]! + this.sizes[place]!
    })
    const total = starts[terms.length]!
    const arrays = {
      lengths,
      terms,
      starts,
      documents: new (documentNumbers(size))(total),
      fields: new Uint8Array(total),
      counts: new Uint8Array(total),
      documentCounts: new Uint32Array(terms.length),
    }
    return { arrays, next: starts.slice(0, terms.length) }
  }
}
