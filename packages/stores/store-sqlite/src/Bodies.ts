/** Reads and writes values: JSON in the row, or, for large values, in a blob under the hash of its content. */
import { createHash } from "node:crypto"
import type { Json } from "@planloom/plugin/effect"
import type { Database, Row } from "./Database.ts"
import { blobs } from "./sql.ts"
import { storeFailed } from "./toStoreFailed.ts"

/** Characters of JSON above which a value is stored once as a blob, for all rows that have it. */
const LARGE_CHARS = 1024 * 1024

/** Shared values that stay in memory: the definitions of the workflows that a worker runs. */
const RECENT_VALUES = 16

export const isLarge = (text: string): boolean => text.length > LARGE_CHARS

export interface Body {
  readonly body: string | null
  readonly blob: string | null
}

export class Bodies {
  private readonly database: Database
  private readonly path: string
  /** Hashes of shared values by identity: a definition is the same object run after run. */
  private readonly hashes = new WeakMap<object, string>()

  private readonly recent = new Map<string, Json>()

  constructor(database: Database, path: string) {
    this.database = database
    this.path = path
  }

  /** Requires the caller's transaction. `isShared`: other runs have the same value, so that it is a blob whatever its size. */
  write(run: number, text: string, isShared = false): Body {
    if (!isShared && !isLarge(text)) return { body: text, blob: null }
    const hash = this.insertBlob(text)
    this.database.run(blobs.use, run, hash)
    return { body: null, blob: hash }
  }

  read({ blob, body }: Body): Json {
    return JSON.parse(body ?? this.blobText(blob!)) as Json
  }

  ofRow(row: Row): Json {
    return this.read(row as unknown as Body)
  }

  /** Stores a value that many runs share, after `scrub`, and returns its hash. */
  share(value: Json, scrub: (value: Json) => Json): string {
    const known = this.sharedHash(value)
    if (known !== undefined && this.database.get(blobs.known, known) !== undefined) return known
    const hash = this.insertBlob(JSON.stringify(scrub(value)))
    if (typeof value === "object" && value !== null) this.hashes.set(value, hash)
    return hash
  }

  /** The hash under which `share` stored this object earlier. The blob may have been removed since. */
  sharedHash(value: Json): string | undefined {
    return typeof value === "object" && value !== null ? this.hashes.get(value) : undefined
  }

  /** A shared value by its hash: one object for all callers, until others replace it in memory. */
  shared(hash: string): Json {
    const known = this.recent.get(hash)
    if (known !== undefined) return known
    const value = JSON.parse(this.blobText(hash)) as Json
    if (this.recent.size === RECENT_VALUES) this.recent.delete(this.recent.keys().next().value!)
    this.recent.set(hash, value)
    return value
  }

  blobText(hash: string): string {
    const found = this.database.get(blobs.one, hash)
    if (found === undefined) throw storeFailed("corrupt", this.path)
    return found["body"] as string
  }

  private insertBlob(text: string): string {
    const hash = createHash("sha256").update(text).digest("hex")
    this.database.run(blobs.insert, hash, text)
    return hash
  }
}
