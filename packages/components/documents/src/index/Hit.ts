/** A passage that is found, what it rests on, and whether that is enough. */
import type { Row } from "./DocumentFile.ts"
import type { ReadWord } from "./readSpelling.ts"

/** The evidence of a hit. */
export interface Hit extends FoundChunk {
  /** From 0 to 1. By words: the share of the query's words that it has, where a rare word counts more than a frequent one; by meaning: the cosine. */
  readonly score: number
  readonly by: "words" | "meaning"
  /** Words of the query, or of the wording, as it has them. */
  readonly matched: ReadonlyArray<string>
  /** Those of them that were read as others. */
  readonly read: ReadonlyArray<ReadWord>
  readonly missing: ReadonlyArray<string>
  /** The wording to which it answers better than to the query: its evidence is that of the wording. */
  readonly wording?: string
  /** Of a faceted search: the column that was best. */
  readonly column?: string
  /** Of the angle between its vector and the query's, where it is among the nearest. */
  readonly cosine?: number
  /** Whether it is nearer to the query than unrelated passages are to each other. */
  readonly isNear?: true
}

export interface FoundChunk {
  readonly id: string
  readonly path: string
  readonly headings: ReadonlyArray<string>
  /** Of a format with lines. */
  readonly lines?: readonly [number, number]
  readonly chars: readonly [number, number]
  /** Of a format with pages. */
  readonly page?: number
  readonly text: string
}

/** The least score of a hit that counts as found, unless a search has a threshold. */
const FOUND = 0.4

/**
 * Whether a hit answers to the query: it means about the same, or the words that it lacks do not weigh too much, and it has more than one of several
 * words. One word alone is no evidence: no passage on computing answers a question on quantum computing.
 */
export const isFound = ({ by, isNear, matched, missing, score }: Hit, threshold = FOUND): boolean =>
  isNear === true || (by === "words" && score >= threshold && hasEnough({ matched, missing }))

export const hasEnough = ({ matched, missing }: Pick<Hit, "matched" | "missing">): boolean =>
  matched.length > 1 || missing.length === 0

/** A row of `chunks`, with the header of its table in front. */
export const chunkOf = (row: Row): FoundChunk => ({
  id: String(row["id"]),
  path: String(row["path"]),
  headings: JSON.parse(String(row["headings"])) as ReadonlyArray<string>,
  ...(row["first_line"] === null
    ? {}
    : { lines: [Number(row["first_line"]), Number(row["last_line"])] as const }),
  chars: [Number(row["first_char"]), Number(row["last_char"])],
  ...(row["page"] === null ? {} : { page: Number(row["page"]) }),
  text: `${row["lead"] === null ? "" : `${row["lead"]}\n`}${String(row["text"]).trim()}`,
})
