/** Ranks documents by vectors in FAISS. What FAISS does not have yet is compared here, so that each search sees all documents. */
import { ExactRanking, type ScoredDocument, type VectorRanking } from "@planloom/retrieval"
import { CheckedIndex, MAX_DIMENSIONS, type FaissKind } from "./CheckedIndex.ts"
import { buildGraph } from "./buildGraph.ts"
import type { Faiss } from "./loadFaiss.ts"

/** Fewer vectors are compared at once: a graph of them would not be faster. */
export const MIN_GRAPH = 2000

/** Share of vectors that were added or removed since it was built, above which it is built anew. */
const CHANGE = 0.25

/** Neighbors that are asked for, for each document that is wanted: a document may have several vectors. */
const FIRST_FACTOR = 2

type Allowed = Parameters<VectorRanking["nearest"]>[1]

interface Built {
  readonly index: CheckedIndex
  /** The document of each label; undefined once it was removed or replaced. */
  readonly owners: Array<string | undefined>
  readonly labels: Map<string, ReadonlyArray<number>>
  dead: number
}

export class FaissRanking implements VectorRanking {
  private readonly faiss: Faiss
  private readonly kind: FaissKind
  private readonly vectors = new Map<string, ReadonlyArray<Float32Array>>()
  /** Documents that FAISS does not have. */
  private readonly fresh = new ExactRanking()
  private readonly freshIds = new Set<string>()
  private built: Built | undefined
  private building: Promise<void> | undefined
  /** False after a process that builds a graph has failed: all are compared from then on. */
  private canBuild = true

  constructor(faiss: Faiss, kind: FaissKind) {
    this.faiss = faiss
    this.kind = kind
  }

  put(id: string, vectors: ReadonlyArray<Float32Array>): void {
    this.remove(id)
    this.vectors.set(id, vectors)
    this.fresh.put(id, vectors)
    this.freshIds.add(id)
  }

  remove(id: string): void {
    this.vectors.delete(id)
    this.fresh.remove(id)
    this.freshIds.delete(id)
    const { built } = this
    for (const label of built?.labels.get(id) ?? []) {
      built!.owners[label] = undefined
      built!.dead++
    }
    built?.labels.delete(id)
  }

  nearest(query: Float32Array, isAllowed: Allowed, limit: number): ReadonlyArray<ScoredDocument> {
    this.refresh()
    const near = this.built === undefined ? [] : this.search(this.built, query, isAllowed, limit)
    return [...near, ...this.fresh.nearest(query, isAllowed, limit)]
      .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1))
      .slice(0, limit)
  }

  /** Resolves once no graph is being built. */
  settled(): Promise<void> {
    return this.building ?? Promise.resolve()
  }

  /** As many neighbors as it takes to have enough documents that may be found. */
  private search(
    { dead, index, owners }: Built,
    query: Float32Array,
    isAllowed: Allowed,
    limit: number,
  ): ReadonlyArray<ScoredDocument> {
    const isRight = query.length === index.dimensions && query.every(Number.isFinite)
    if (!isRight) return []
    for (let wanted = FIRST_FACTOR * limit + dead; ; wanted *= 4) {
      const ids = new Set<string>()
      for (const label of index.search(query, wanted)) {
        const id = owners[label]
        if (id !== undefined && isAllowed?.(id) !== false) ids.add(id)
      }
      if (ids.size >= limit || wanted >= index.size) {
        const exact = new ExactRanking()
        for (const id of ids) exact.put(id, this.vectors.get(id)!)
        return exact.nearest(query, undefined, limit)
      }
    }
  }

  private refresh(): void {
    const changed = this.freshIds.size + (this.built?.dead ?? 0)
    if (changed === 0 || this.building !== undefined) return
    if (this.kind === "flat") {
      if (this.built === undefined || this.built.dead > CHANGE * this.built.owners.length)
        this.built = this.begin()
      if (this.built !== undefined) this.addFresh(this.built)
    } else if (
      this.canBuild &&
      this.vectors.size >= MIN_GRAPH &&
      changed > CHANGE * this.vectors.size
    ) {
      this.building = this.rebuild().finally(() => (this.building = undefined))
    }
  }

  /** An index without vectors; all documents are to be added. */
  private begin(): Built | undefined {
    const dimensions = this.dimensions()
    if (dimensions === undefined) return undefined
    for (const [id, vectors] of this.vectors) {
      this.fresh.put(id, vectors)
      this.freshIds.add(id)
    }
    const index = CheckedIndex.empty(this.faiss, this.kind, dimensions)
    return { index, owners: [], labels: new Map(), dead: 0 }
  }

  private addFresh(built: Built): void {
    const ids = [...this.freshIds].filter((id) => this.fits(id, built.index.dimensions))
    built.index.add(ids.flatMap((id) => this.vectors.get(id)!))
    for (const id of ids) this.take(built, id)
  }

  /** FAISS has the document from now on. */
  private take(built: Built, id: string): void {
    const from = built.owners.length
    const vectors = this.vectors.get(id)!
    built.labels.set(
      id,
      vectors.map((_, at) => from + at),
    )
    for (const _ of vectors) built.owners.push(id)
    this.fresh.remove(id)
    this.freshIds.delete(id)
  }

  private async rebuild(): Promise<void> {
    const dimensions = this.dimensions()
    if (dimensions === undefined) return
    const taken = [...this.vectors].filter(([id]) => this.fits(id, dimensions))
    const index = await buildGraph(
      this.faiss,
      taken.flatMap(([, vectors]) => vectors),
    )
    if (index === undefined) {
      this.canBuild = false
      return
    }
    const built: Built = { index, owners: [], labels: new Map(), dead: 0 }
    for (const [id, vectors] of this.vectors) {
      this.fresh.put(id, vectors)
      this.freshIds.add(id)
    }
    for (const [id, vectors] of taken) {
      if (this.vectors.get(id) === vectors) this.take(built, id)
      else {
        // It was removed or replaced meanwhile.
        for (const _ of vectors) built.owners.push(undefined)
        built.dead += vectors.length
      }
    }
    this.built = built
  }

  /** Numbers of the first vector that FAISS can have. */
  private dimensions(): number | undefined {
    for (const vectors of this.vectors.values())
      for (const { length } of vectors) if (length > 0 && length <= MAX_DIMENSIONS) return length
    return undefined
  }

  /** Vectors that FAISS may be given; others are compared here. */
  private fits(id: string, dimensions: number): boolean {
    return this.vectors
      .get(id)!
      .every((vector) => vector.length === dimensions && vector.every(Number.isFinite))
  }
}
