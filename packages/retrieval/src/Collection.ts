/** Units of text that belong to documents, added and removed in batches, scored by words and by grams. */
import { bm25, measure, type Corpus, type FieldWeight, type Scores } from "./bm25.ts"
import { Segment } from "./Segment.ts"
import { best, type Near } from "./best.ts"
import { gramsOf, meaningOf, occurrences, queryTerms, remembering, tellingWords } from "./terms.ts"

/** A unit: the document it speaks for, and its texts, one per field. */
export interface Unit {
  readonly owner: string
  readonly texts: ReadonlyArray<string>
}

interface Batch {
  readonly units: ReadonlyArray<Unit>
  readonly words: Segment
  readonly grams: Segment
  living: number
}

interface Corpora {
  readonly words: Corpus
  readonly grams: Corpus
}

/** How soon saying a term again stops to matter. */
const SATURATION = 1.2

/** Share of the documents above which a gram is too common to be worth its time. */
const COMMON_GRAM = 0.05

/** How many documents one way of looking may propose. */
const DEPTH = 100

export class Collection {
  private readonly wordWeights: ReadonlyArray<FieldWeight>
  private readonly gramWeights: ReadonlyArray<FieldWeight>
  private batches: Array<Batch> = []
  /** Measured when first asked after a change. */
  private corpora: Corpora | undefined

  constructor(wordWeights: ReadonlyArray<FieldWeight>, gramWeights: ReadonlyArray<FieldWeight>) {
    this.wordWeights = wordWeights
    this.gramWeights = gramWeights
  }

  /**
   * Adds units. A batch that is not much smaller than the one before is merged with it, so there are few
   * batches however documents arrive, and a unit is copied only a logarithmic number of times.
   */
  add(units: ReadonlyArray<Unit>): void {
    if (units.length === 0) return
    this.corpora = undefined
    let added = this.batch(units)
    for (let last = this.batches.at(-1); last !== undefined && last.living <= 2 * added.living;) {
      added = joined([last, added])
      this.batches.pop()
      last = this.batches.at(-1)
    }
    this.batches.push(added)
  }

  /** Removes all units of some documents. A batch that is mostly dead is made anew. */
  remove(owners: ReadonlySet<string>): void {
    this.corpora = undefined
    this.batches = this.batches.flatMap((batch) => {
      batch.units.forEach(({ owner }, at) => {
        if (!owners.has(owner) || batch.words.alive[at] === 0) return
        batch.words.bury(at)
        batch.grams.bury(at)
        batch.living--
      })
      if (batch.living === 0) return []
      return batch.living * 2 < batch.units.length ? [joined([batch])] : [batch]
    })
  }

  /** The documents nearest to a text by its words and concepts, best first, each by its best unit. */
  byWords(text: string): ReadonlyArray<Near> {
    const corpus = this.measured().words
    return this.best(bm25(corpus, queryTerms(text, meaningOf), SATURATION, 1))
  }

  /** The documents nearest to a text by pieces of its words, best first, each by its best unit. */
  byGrams(text: string): ReadonlyArray<Near> {
    const corpus = this.measured().grams
    return this.best(bm25(corpus, queryTerms(text, gramsOf), SATURATION, COMMON_GRAM))
  }

  private batch(units: ReadonlyArray<Unit>): Batch {
    const fieldCount = this.wordWeights.length
    const [meanings, grams] = [remembering(meaningOf), remembering(gramsOf)]
    const wordsOf = units.map(({ texts }) => texts.map(tellingWords))
    const telling = (words: ReadonlyArray<string>, field: number) =>
      this.gramWeights[field]!.weight > 0 ? words : []
    return {
      units,
      words: Segment.of(
        wordsOf.map((words) => occurrences(words, meanings)),
        fieldCount,
      ),
      grams: Segment.of(
        wordsOf.map((words) => occurrences(words.map(telling), grams)),
        fieldCount,
      ),
      living: units.length,
    }
  }

  private measured(): Corpora {
    const [words, grams] = [this.wordWeights, this.gramWeights]
    this.corpora ??= {
      words: measure(
        this.batches.map((batch) => batch.words),
        words,
      ),
      grams: measure(
        this.batches.map((batch) => batch.grams),
        grams,
      ),
    }
    return this.corpora
  }

  private best(scores: Scores): ReadonlyArray<Near> {
    return best(scores, (batch, at) => this.batches[batch]!.units[at]!.owner, DEPTH)
  }
}

/** One batch of the living units of some, in their order: nothing is read again. */
const joined = (batches: ReadonlyArray<Batch>): Batch => {
  const units = batches.flatMap(({ units: some, words }) =>
    some.filter((_, at) => words.alive[at] === 1),
  )
  return {
    units,
    words: Segment.joined(batches.map(({ words }) => words)),
    grams: Segment.joined(batches.map(({ grams }) => grams)),
    living: units.length,
  }
}
