/** An index whose searches are recorded, because they call an embedder. It is built when a search is not recorded. */
import * as Effect from "effect/Effect"
import type { BuiltIndex, IndexDocument, JsonObject, ModelFailed } from "@planloom/plugin/effect"
import type { RecordedSearch } from "../../../model/recordSearch.ts"

export class RecordedIndex implements BuiltIndex {
  private readonly documents: Map<string, IndexDocument>
  private readonly build: (
    documents: ReadonlyArray<IndexDocument>,
  ) => Effect.Effect<BuiltIndex, ModelFailed>
  private readonly recorded: RecordedSearch
  private built: BuiltIndex | undefined
  /** Changes since it was built. */
  private readonly added = new Map<string, IndexDocument>()
  private readonly removed = new Set<string>()

  constructor(
    documents: ReadonlyArray<IndexDocument>,
    build: RecordedIndex["build"],
    recorded: RecordedSearch,
  ) {
    this.documents = new Map(documents.map((document) => [document.id, document]))
    this.build = build
    this.recorded = recorded
  }

  // Properties, because a stage kind may take them out of the object.

  readonly search: BuiltIndex["search"] = (query, options) =>
    this.recorded(
      () => ({ query, ...options, documents: this.documents.size }) as unknown as JsonObject,
      Effect.flatMap(this.current(), (built) => built.search(query, options)),
    )

  readonly searchAll: NonNullable<BuiltIndex["searchAll"]> = (queries, options) =>
    this.recorded(
      () => ({ queries, ...options, documents: this.documents.size }) as unknown as JsonObject,
      Effect.flatMap(
        this.current(),
        (built) =>
          built.searchAll?.(queries, options) ??
          Effect.forEach(queries, (query) => built.search(query, options)),
      ),
    )

  readonly add: BuiltIndex["add"] = (documents) =>
    Effect.sync(() => {
      for (const document of documents) {
        this.documents.set(document.id, document)
        this.added.set(document.id, document)
      }
    })

  readonly remove: BuiltIndex["remove"] = (ids) =>
    Effect.sync(() => {
      for (const id of ids) {
        this.documents.delete(id)
        this.added.delete(id)
        this.removed.add(id)
      }
    })

  readonly size = (): number => this.documents.size

  private current(): Effect.Effect<BuiltIndex, ModelFailed> {
    return Effect.suspend(() => {
      const { built } = this
      const [added, removed] = [[...this.added.values()], [...this.removed]]
      this.added.clear()
      this.removed.clear()
      if (built === undefined) {
        return Effect.tap(this.build([...this.documents.values()]), (made) =>
          Effect.sync(() => (this.built = made)),
        )
      }
      return removed.length + added.length === 0
        ? Effect.succeed(built)
        : Effect.as(Effect.andThen(built.remove(removed), built.add(added)), built)
    })
  }
}
