/** The index of one library of documents, in one SQLite file. */
import { openSources, type LibrarySources } from "../sources/openSources.ts"
import { DocumentFile } from "./DocumentFile.ts"
import { DocumentsFailed } from "./DocumentsFailed.ts"
import { FOLDER, type Scope } from "./Scope.ts"
import type { FoundChunk } from "./Hit.ts"
import { searchWords, showPassages, type SearchOptions, type SearchResult } from "./searchWords.ts"
import { wordsHeld, type Wordings } from "./weighTerms.ts"
import {
  embeddedCount,
  embedPassages,
  removeUnused,
  type EmbeddingReport,
  type PassageEmbedder,
} from "../vectors/embedPassages.ts"
import { agree, agreement, isAgreed, openTexts, type OpenTexts } from "../vectors/agreement.ts"
import { searchBoth, type RankWeights } from "../vectors/searchBoth.ts"
import { Vectors, type Embedding } from "../vectors/Vectors.ts"
import { forgetUser, recordUserFacet, type Forgotten } from "./forgetUser.ts"
import {
  problemsOf,
  readLastSync,
  recordFailure,
  type LastSync,
  type Problems,
} from "./lastSync.ts"
import { withSyncLock } from "./syncLock.ts"
import { syncSources, type SyncOptions, type SyncReport } from "./syncSources.ts"

export interface IndexStatus extends Problems, Pick<LastSync, "synced" | "failure"> {
  readonly files: number
  readonly passages: number
  /** Of the texts of all passages, as estimated. */
  readonly tokens: number
}

export class DocumentIndex {
  private readonly file: DocumentFile
  private readonly path: string
  private readonly sources: LibrarySources
  private readonly vectors: Vectors

  /** `path` is that of the SQLite file, which is made unless it exists. */
  constructor(path: string, sources: LibrarySources) {
    this.path = path
    this.file = new DocumentFile(path)
    this.vectors = new Vectors(this.file)
    this.sources = sources
  }

  /** Reads what is new or has changed. Fails with `DocumentsFailed` where a source is not there; the index stays as it was. */
  async sync(options: SyncOptions): Promise<SyncReport> {
    const { close, sources } = openSources(this.sources)
    try {
      recordUserFacet(this.file, this.sources.user)
      return await syncSources({ path: this.path, file: this.file, sources }, options)
    } catch (error) {
      if (error instanceof DocumentsFailed) recordFailure(this.file, error.message)
      throw error
    } finally {
      await close()
    }
  }

  /** The passages with the words of a query, as of the last sync. */
  search(query: string, options: SearchOptions): SearchResult {
    return searchWords(this.file, query, options)
  }

  /** Words of a query and its wordings that passages have which may be found. */
  wordsHeld(query: string, scope: Wordings & Scope): ReadonlyArray<string> {
    return wordsHeld(this.file, query, scope)
  }

  /** Gives passages without a vector one: one process at a time, since calls cost. What was embedded stays when it is interrupted. */
  async embed(
    embedder: PassageEmbedder,
    signal: AbortSignal,
    patience?: number,
    onBatch?: (sent: number) => void,
  ): Promise<EmbeddingReport> {
    const waiting = { signal, ...(patience !== undefined && { patience }) }
    const done = await withSyncLock(this.path, waiting, () =>
      embedPassages(this.file, this.vectors, embedder, signal, onBatch),
    )
    return done ?? { ...embeddedCount(this.file), sent: 0, problem: "another sync is at work" }
  }

  /** Texts that a model has not embedded yet. */
  openTexts(model: string): OpenTexts {
    return this.file.read(() => openTexts(this.file, model))
  }

  /** Records that a person allows a model to embed so many tokens. */
  agree(model: string, tokens: number): void {
    agree(this.file, model, tokens)
  }

  /** The tokens that a person allows a model to embed at once; undefined without an agreement. */
  agreement(model: string): number | undefined {
    return agreement(this.file, model)
  }

  /** Passages that have a vector of a model, and all. */
  embedded(model: string): Pick<EmbeddingReport, "embedded" | "passages"> {
    const { embedded, passages } = embeddedCount(this.file)
    return { passages, embedded: this.embedding()?.model === model ? embedded : 0 }
  }

  /** Whether what is open may be embedded without a question: it is little, or no more than was agreed to. */
  isAgreed(model = this.embedding()?.model ?? ""): boolean {
    return this.file.read(() => isAgreed(this.file, model))
  }

  /** The passages that are nearest to a query by its words and by its vector. */
  searchBoth(
    query: string,
    vector: Float32Array,
    options: SearchOptions,
    weights?: RankWeights,
  ): SearchResult {
    return searchBoth(this.file, this.vectors, query, vector, options, weights)
  }

  /** State of the vectors; undefined without any. */
  embedding(): Embedding | undefined {
    return this.vectors.embedding()
  }

  /** The passage with an id, or all passages of a file, in reading order, as far as they may be found. */
  show(idOrPath: string, scope: Scope = {}): ReadonlyArray<FoundChunk> {
    return showPassages(this.file, idOrPath, scope)
  }

  /** The time of the last change of a file, in epoch milliseconds; undefined where its source does not say. */
  modified(path: string): number | undefined {
    const modified = this.file.get("SELECT modified FROM files WHERE path = ?", path)?.["modified"]
    return typeof modified === "number" ? modified : undefined
  }

  /** Filters of passages. */
  facets(): ReadonlyArray<string> {
    const rows = this.file.all("SELECT DISTINCT name FROM facets ORDER BY name")
    return [...new Set([...rows.map(({ name }) => String(name)), FOLDER])]
  }

  /** Contents as of the last sync; nothing is read from the sources. */
  status(): IndexStatus {
    return this.file.read(() => {
      const { failure, synced } = readLastSync(this.file)
      const count = (sql: string) => Number(this.file.get(sql)!["n"])
      return {
        files: count("SELECT count(*) AS n FROM files"),
        passages: count("SELECT count(*) AS n FROM chunks"),
        tokens: count("SELECT coalesce(sum(tokens), 0) AS n FROM chunks"),
        ...problemsOf(this.file),
        ...(synced !== undefined && { synced }),
        ...(failure !== undefined && { failure }),
      }
    })
  }

  /** Overwrites what is left of removed passages: their words, vectors and pages of the log beside the file. */
  purge(): void {
    this.file.write(() => removeUnused(this.file))
    this.file.purge()
  }

  /** Erases the passages about a user, by the facet that names one; the files that have them. A change of such a file brings them back. */
  forgetUser(id: string): Forgotten {
    const forgotten = forgetUser(this.file, id)
    if (forgotten.passages > 0) this.purge()
    return forgotten
  }

  close(): void {
    this.file.close()
  }
}
