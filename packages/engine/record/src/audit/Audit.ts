/** The audit list of a store: who did what to runs, models, prompts, keys and users, also once the runs are gone. */
import { randomUUID } from "node:crypto"
import * as Effect from "effect/Effect"
import type { Collection, Entry, JsonObject, RunStore, StoreFailed } from "@planloom/plugin/effect"

/** Entries of the list, with the facts of each. */
export const auditActions = {
  answered: "a question was answered: run, question",
  key_created: "an API key was made: id, name, scopes",
  key_revoked: "an API key was revoked: id, name",
  models_swapped: "models were swapped: workflow, alias or stage, models",
  prompt_changed: "another text of a prompt was made active: workflow, prompt, version",
  review_decided: "a review was decided: review, verdict",
  swap_undone: "a swap of models was undone: workflow, alias or stage, models",
  user_erased: "a user was erased: digest of the id, counts",
} as const

export type AuditAction = keyof typeof auditActions

export interface AuditEntry {
  /** Epoch milliseconds. */
  readonly at: number
  readonly action: AuditAction
  /** The API key (`key:name`), `token`, `user:<digest>` or `mcp` of a server; `shell:name` of the command; `program` of a host. */
  readonly via: string
  /** Who did it, as the request said. */
  readonly by?: string
  readonly about: JsonObject
}

export interface AuditFilter {
  /** Epoch milliseconds. */
  readonly since?: number
  readonly action?: AuditAction
  /** Continues after this entry. */
  readonly after?: string
  /** Default 100. */
  readonly limit?: number
}

/** `id` is for `after`. */
export interface ListedEntry extends AuditEntry {
  readonly id: string
}

const DEFAULT_LIMIT = 100

/** Entries read at once. */
const PAGE_SIZE = 500

/** Digits of a time in a key, so that keys are in order. */
const DIGITS = 15

export class Audit {
  private readonly entries: Collection

  constructor(entries: Collection) {
    this.entries = entries
  }

  /** Undefined for a store without collections. */
  static readonly of = (store: RunStore): Audit | undefined =>
    store.collection === undefined ? undefined : new Audit(store.collection("planloom/audit"))

  /** `via` is `program` unless given. */
  record({
    via = "program",
    ...entry
  }: Omit<AuditEntry, "at" | "via"> & { readonly via?: string | undefined }): Effect.Effect<
    void,
    StoreFailed
  > {
    return Effect.clockWith((clock) => {
      const at = clock.currentTimeMillisUnsafe()
      const key = `${timeKey(at)}-${numberKey(recorded++)}-${randomUUID().slice(0, 8)}`
      const value = { ...entry, via, at } as unknown as JsonObject
      return Effect.asVoid(this.entries.put(key, value, { version: "new" }))
    })
  }

  /** Oldest first. */
  list({ action, after, limit = DEFAULT_LIMIT, since = 0 }: AuditFilter = {}): Effect.Effect<
    ReadonlyArray<ListedEntry>,
    StoreFailed
  > {
    return Effect.gen({ self: this }, function* () {
      const found: Array<ListedEntry> = []
      let last = later(after, timeKey(since))
      while (found.length < limit) {
        const page = yield* this.entries.list({ after: last, limit: PAGE_SIZE })
        found.push(
          ...page.map(listed).filter((one) => action === undefined || one.action === action),
        )
        if (page.length < PAGE_SIZE) break
        last = page.at(-1)!.key
      }
      return found.slice(0, limit)
    })
  }
}

/** Entries of this process: those of one millisecond stay in order. */
let recorded = 0

const numberKey = (number: number): string => String(number % 1_000_000).padStart(6, "0")

const timeKey = (at: number): string => String(Math.max(0, Math.floor(at))).padStart(DIGITS, "0")

const later = (after: string | undefined, since: string): string =>
  after !== undefined && after > since ? after : since

const listed = ({ key, value }: Entry): ListedEntry => ({
  ...(value as unknown as AuditEntry),
  id: key,
})
