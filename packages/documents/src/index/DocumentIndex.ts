/** The index of one library of documents, in one SQLite file. */
import { openSources, type LibrarySources } from "../sources/openSources.ts"
import { DocumentFile } from "./DocumentFile.ts"
import { DocumentsFailed } from "./DocumentsFailed.ts"
import { FOLDER, type Scope } from "./Scope.ts"
import {
  searchWords,
  showPassages,
  type FoundChunk,
  type SearchOptions,
  type SearchResult,
} from "./searchWords.ts"
import {
  embedPassages,
  type EmbeddingReport,
  type PassageEmbedder,
} from "../vectors/embedPassages.ts"
import { searchBoth, type RankWeights } from "../vectors/searchBoth.ts"
import { Vectors, type Embedding } from "../vectors/Vectors.ts"
import {
  problemsOf,
  readLastSync,
  recordFailure,
  type LastSync,
  type Problems,
} from "./lastSync.ts"
import { syncSources, type SyncOptions, type SyncReport } from "./syncSources.ts"

export interface IndexStatus extends Problems, Pick<LastSync, "synced" | "failure"> {
  readonly files: number
  readonly passages: number
  /** Of the texts of all passages, as estimated. */
  readonly tokens: number
}

export class DocumentIndex {
  private readonly file: DocumentFile
  private readonly sources: LibrarySources
  private readonly vectors: Vectors

  /** `path` is that of the SQLite file, which is made unless it exists. */
  constructor(path: string, sources: LibrarySources) {
    this.file = new DocumentFile(path)
    this.vectors = new Vectors(this.file)
    this.sources = sources
  }

  /** Reads what is new or has changed. Fails with `DocumentsFailed` where a source is not there; the index stays as it was. */
  async sync(options: SyncOptions): Promise<SyncReport> {
    const { close, sources } = openSources(this.sources)
    try {
      return await syncSources(this.file, sources, options)
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

  /** Gives passages without a vector one. What was embedded stays when it is interrupted. */
  embed(embedder: PassageEmbedder, signal: AbortSignal): Promise<EmbeddingReport> {
    return embedPassages(this.file, this.vectors, embedder, signal)
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

  /** What is known of the vectors; undefined without any. */
  embedding(): Embedding | undefined {
    return this.vectors.embedding()
  }

  /** The passage with an id, or all passages of a file, in reading order, as far as they may be found. */
  show(idOrPath: string, scope: Scope = {}): ReadonlyArray<FoundChunk> {
    return showPassages(this.file, idOrPath, scope)
  }

  /** What passages can be filtered by. */
  facets(): ReadonlyArray<string> {
    const rows = this.file.all("SELECT DISTINCT name FROM facets ORDER BY name")
    return [...new Set([...rows.map(({ name }) => String(name)), FOLDER])]
  }

  /** What is there as of the last sync; nothing is read from the sources. */
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

  close(): void {
    this.file.close()
  }
}
