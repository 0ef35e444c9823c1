/** Text units of documents, added and removed in batches, and scored by words and by character grams. */
import { bm25, measure, type Corpus, type FieldWeight, type QueryScores } from "./bm25.ts"
import { Segment } from "./Segment.ts"
import { selectTop, type ScoredDocument } from "./selectTop.ts"
import { gramTerms, memoize, occurrences, queryTerms, tokens, wordTerms } from "./text/terms.ts"
import type { Thesaurus } from "./text/Thesaurus.ts"

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

/** Units that were added together, or merged: the document of each, and its postings. */
export interface Batch {
  readonly owners: ReadonlyArray<string>
  readonly words: Segment
  readonly grams: Segment
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
  private readonly thesaurus: Thesaurus
  private batches: Array<Batch & { live: number }> = []
  /** Statistics, computed on the first query after a change. */
  private corpora: Corpora | undefined

  constructor(
    wordWeights: ReadonlyArray<FieldWeight>,
    gramWeights: ReadonlyArray<FieldWeight>,
    thesaurus: Thesaurus,
  ) {
    this.wordWeights = wordWeights
    this.gramWeights = gramWeights
    this.thesaurus = thesaurus
  }

  /**
   * Adds a batch. It is merged with its predecessor unless it is much smaller, so the number of batches stays
   * small, and each unit is copied a logarithmic number of times.
   */
  add(batch: Batch): void {
    if (batch.owners.length === 0) return
    this.corpora = undefined
    let added = { ...batch, live: batch.owners.length }
    for (
      let last = this.batches.at(-1);
      last !== undefined && last.live <= 2 * added.live;
      last = this.batches.at(-1)
    ) {
      added = mergeBatches([last, added])
      this.batches.pop()
    }
    this.batches.push(added)
  }

  /** Removes all units of some documents; rebuilds batches that are mostly dead. */
  remove(owners: ReadonlySet<string>): void {
    this.corpora = undefined
    this.batches = this.batches.flatMap((batch) => {
      batch.owners.forEach((owner, at) => {
        if (!owners.has(owner) || batch.words.alive[at] === 0) return
        batch.words.markDead(at)
        batch.grams.markDead(at)
        batch.live--
      })
      if (batch.live === 0) return []
      return batch.live * 2 < batch.owners.length ? [mergeBatches([batch])] : [batch]
    })
  }

  /** All live units as one batch; undefined if there are none. */
  merged(): Batch | undefined {
    return this.batches.length === 0 ? undefined : mergeBatches(this.batches)
  }

  /** Ranks documents by the words, pairs and concepts of a text, best first, each by its best unit. */
  byWords(text: string, isAllowed: Allowed): Match {
    const query = queryTerms(tokens(text, this.thesaurus), wordTerms(this.thesaurus))
    return this.top(bm25(this.statistics().words, query, SATURATION, 1), isAllowed)
  }

  /** Ranks documents by the character grams of a text, best first, each by its best unit. */
  byGrams(text: string, isAllowed: Allowed): Match {
    const query = queryTerms(tokens(text, this.thesaurus), gramTerms)
    const { grams } = this.statistics()
    return this.top(bm25(grams, query, SATURATION, COMMON_GRAM), isAllowed)
  }

  /** Units as a batch to add. */
  batch(units: ReadonlyArray<Unit>): Batch {
    const fieldCount = this.wordWeights.length
    const [meanings, grams] = [memoize(wordTerms(this.thesaurus)), memoize(gramTerms)]
    const tokensOf = units.map(({ texts }) => texts.map((text) => tokens(text, this.thesaurus)))
    const gramTokens = (found: ReadonlyArray<string>, field: number) =>
      this.gramWeights[field]!.weight > 0 ? found : []
    return {
      owners: units.map(({ owner }) => owner),
      words: Segment.of(
        tokensOf.map((found) => occurrences(found, meanings)),
        fieldCount,
      ),
      grams: Segment.of(
        tokensOf.map((found) => occurrences(found.map(gramTokens), grams)),
        fieldCount,
      ),
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
    const ownerOf = (batch: number, at: number) => this.batches[batch]!.owners[at]!
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
const mergeBatches = (batches: ReadonlyArray<Batch>): Batch & { live: number } => {
  const owners = batches.flatMap((batch) =>
    batch.owners.filter((_, at) => batch.words.alive[at] === 1),
  )
  return {
    owners,
    words: Segment.merge(batches.map(({ words }) => words)),
    grams: Segment.merge(batches.map(({ grams }) => grams)),
    live: owners.length,
  }
}
