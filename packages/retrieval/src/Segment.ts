/** Some documents' occurrences of terms, packed into typed arrays. What is in never moves; it can only die. */

/** What one document says: `terms[i]` occurs `counts[i]` times in field `fields[i]`; the same pair may come again and adds up. */
export interface Occurrences {
  readonly terms: ReadonlyArray<number>
  readonly fields: ReadonlyArray<number>
  readonly counts: ReadonlyArray<number>
  /** Occurrences per field. */
  readonly lengths: ReadonlyArray<number>
}

export class Segment {
  readonly size: number
  readonly fieldCount: number
  /** 1 while the document is in the index. */
  readonly alive: Uint8Array
  /** Occurrences per document and field, field after field of one document. */
  readonly lengths: Uint32Array
  /** The postings, term after term; within a term, document after document. */
  readonly documents: Uint32Array
  readonly fields: Uint8Array
  readonly counts: Uint8Array
  private readonly slots = new Map<number, number>()
  private readonly starts: Uint32Array
  /** Documents per term, dead ones too. */
  private readonly documentCounts: Uint32Array
  private dead = 0

  constructor(documents: ReadonlyArray<Occurrences>, fieldCount: number) {
    this.size = documents.length
    this.fieldCount = fieldCount
    this.alive = new Uint8Array(documents.length).fill(1)
    this.lengths = new Uint32Array(documents.length * fieldCount)
    const total = documents.reduce((sum, { terms }) => sum + terms.length, 0)
    const slotOf = new Uint32Array(total)
    const sizes: Array<number> = []
    let entry = 0
    for (const { terms } of documents)
      for (const term of terms) {
        let slot = this.slots.get(term)
        if (slot === undefined) this.slots.set(term, (slot = sizes.push(0) - 1))
        sizes[slot]!++
        slotOf[entry++] = slot
      }
    this.starts = new Uint32Array(sizes.length + 1)
    for (let slot = 0; slot < sizes.length; slot++)
      this.starts[slot + 1] = this.starts[slot]! + sizes[slot]!
    this.documents = new Uint32Array(total)
    this.fields = new Uint8Array(total)
    this.counts = new Uint8Array(total)
    this.documentCounts = new Uint32Array(sizes.length)
    const next = this.starts.slice(0, sizes.length)
    entry = 0
    documents.forEach(({ fields, counts, lengths }, document) => {
      this.lengths.set(lengths, document * fieldCount)
      for (let i = 0; i < counts.length; i++) {
        const slot = slotOf[entry++]!
        const at = next[slot]!++
        if (at === this.starts[slot] || this.documents[at - 1] !== document)
          this.documentCounts[slot]!++
        this.documents[at] = document
        this.fields[at] = fields[i]!
        this.counts[at] = Math.min(counts[i]!, 255)
      }
    })
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
