/** Text units of documents, added and removed in batches, and scored by words and by character grams. */
import { bm25, measure, type Corpus, type FieldWeight, type QueryScores } from "./bm25.ts"
import { Segment } from "./Segment.ts"
import { selectTop, type ScoredDocument } from "./selectTop.ts"
import { gramTerms, wordTerms, occurrences, queryTerms, memoize, contentWords } from "./terms.ts"

/** One indexed text unit: its document and its texts, one per field. */
export interface Unit {
  readonly owner: string
  readonly texts: ReadonlyArray<string>
}

/** The documents that a text matches, and the score of one that has all of it. */
export interface Match {
  readonly ranked: ReadonlyArray<ScoredDocument>
  readonly whole: number
}

/** Whether a document may be found; undefined: each may. */
export type Allowed = ((owner: string) => boolean) | undefined

interface Batch {
  readonly units: ReadonlyArray<Unit>
  readonly words: Segment
  readonly grams: Segment
  liveCount: number
}

interface Corpora {
  readonly words: Corpus
  readonly grams: Corpus
}

/** BM25's k1: how soon repeated occurrences of a term stop adding to the score. */
const SATURATION = 1.2

/** Share of documents above which a gram is ignored as too common. */
const COMMON_GRAM = 0.05

/** Candidates per scoring method. */
const MAX_CANDIDATES = 100

export class Collection {
  private readonly wordWeights: ReadonlyArray<FieldWeight>
  private readonly gramWeights: ReadonlyArray<FieldWeight>
  private batches: Array<Batch> = []
  /** Statistics, computed on the first query after a change. */
  private corpora: Corpora | undefined

  constructor(wordWeights: ReadonlyArray<FieldWeight>, gramWeights: ReadonlyArray<FieldWeight>) {
    this.wordWeights = wordWeights
    this.gramWeights = gramWeights
  }

  /**
   * Adds units. A batch is merged with its predecessor unless it is much smaller, so the number of batches stays
   * small, and each unit is copied a logarithmic number of times.
   */
  add(units: ReadonlyArray<Unit>): void {
    if (units.length === 0) return
    this.corpora = undefined
    let added = this.batch(units)
    for (
      let last = this.batches.at(-1);
      last !== undefined && last.liveCount <= 2 * added.liveCount;
    ) {
      added = mergeBatches([last, added])
      this.batches.pop()
      last = this.batches.at(-1)
    }
    this.batches.push(added)
  }

  /** Removes all units of some documents; rebuilds batches that are mostly dead. */
  remove(owners: ReadonlySet<string>): void {
    this.corpora = undefined
    this.batches = this.batches.flatMap((batch) => {
      batch.units.forEach(({ owner }, at) => {
        if (!owners.has(owner) || batch.words.alive[at] === 0) return
        batch.words.markDead(at)
        batch.grams.markDead(at)
        batch.liveCount--
      })
      if (batch.liveCount === 0) return []
      return batch.liveCount * 2 < batch.units.length ? [mergeBatches([batch])] : [batch]
    })
  }

  /** Ranks documents by the words and concepts of a text, best first, each by its best unit. */
  byWords(text: string, isAllowed: Allowed): Match {
    const corpus = this.statistics().words
    return this.top(bm25(corpus, queryTerms(text, wordTerms), SATURATION, 1), isAllowed)
  }

  /** Ranks documents by the character grams of a text, best first, each by its best unit. */
  byGrams(text: string, isAllowed: Allowed): Match {
    const corpus = this.statistics().grams
    return this.top(bm25(corpus, queryTerms(text, gramTerms), SATURATION, COMMON_GRAM), isAllowed)
  }

  private batch(units: ReadonlyArray<Unit>): Batch {
    const fieldCount = this.wordWeights.length
    const [meanings, grams] = [memoize(wordTerms), memoize(gramTerms)]
    const wordsOf = units.map(({ texts }) => texts.map(contentWords))
    const gramWords = (words: ReadonlyArray<string>, field: number) =>
      this.gramWeights[field]!.weight > 0 ? words : []
    return {
      units,
      words: Segment.of(
        wordsOf.map((words) => occurrences(words, meanings)),
        fieldCount,
      ),
      grams: Segment.of(
        wordsOf.map((words) => occurrences(words.map(gramWords), grams)),
        fieldCount,
      ),
      liveCount: units.length,
    }
  }

  private statistics(): Corpora {
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

  private top({ scores, whole }: QueryScores, isAllowed: Allowed): Match {
    const ownerOf = (batch: number, at: number) => this.batches[batch]!.units[at]!.owner
    if (isAllowed !== undefined) {
      scores.forEach((ofBatch, batch) => {
        for (let at = 0; at < ofBatch.length; at++) {
          if (ofBatch[at]! > 0 && !isAllowed(ownerOf(batch, at))) ofBatch[at] = 0
        }
      })
    }
    return { ranked: selectTop(scores, ownerOf, MAX_CANDIDATES), whole }
  }
}

/** Merges the live units of batches in order, without tokenizing them again. */
const mergeBatches = (batches: ReadonlyArray<Batch>): Batch => {
  const units = batches.flatMap(({ units: some, words }) =>
    some.filter((_, at) => words.alive[at] === 1),
  )
  return {
    units,
    words: Segment.merge(batches.map(({ words }) => words)),
    grams: Segment.merge(batches.map(({ grams }) => grams)),
    liveCount: units.length,
  }
}
