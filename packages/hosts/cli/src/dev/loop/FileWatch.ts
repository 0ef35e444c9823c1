/** Waits until files of a workflow have other texts, once an editor has finished to write them. */
import { hash } from "node:crypto"
import { readdirSync, readFileSync, statSync } from "node:fs"
import { dirname } from "node:path"
import * as Effect from "effect/Effect"

/** Polled rather than notified: network folders and mounts of containers report no changes. */
const POLL_INTERVAL_MS = 40

/** Editors delete or empty a file before they write it; one that is missing or empty longer is meant to be. */
const GONE_MS = 400

/** A file that was written less long ago may be written again with the same size and time. */
const SAME_TIME_MS = 2000

export interface WatchedFiles {
  readonly files: ReadonlyArray<string>
  /** Whether names in their folders count too: a file that a workflow with errors lacks may be added. */
  readonly hasErrors: boolean
}

export class FileWatch {
  private files: ReadonlyArray<string> = []
  private folders: ReadonlyArray<string> = []
  /** What each file and folder held when it was last read. */
  private read = new Map<string, string>()

  /** Call it before the files are read: what is written from then on is a change. */
  mark(): void {
    this.read = new Map(this.paths.map((path) => [path, this.contentOf(path)]))
  }

  /** Sets what is watched. A file that is new to it counts with its present text. */
  watch({ files, hasErrors }: WatchedFiles): void {
    this.files = files
    this.folders = hasErrors ? [...new Set(files.map((file) => dirname(file)))] : []
    this.read = new Map(
      this.paths.map((path) => [path, this.read.get(path) ?? this.contentOf(path)]),
    )
  }

  /** The paths that differ from what was read, when two looks in a row see the same. */
  readonly next: Effect.Effect<ReadonlyArray<string>> = Effect.suspend(() => {
    let before = ""
    let compared = ""
    let gone = 0
    const look = (): Effect.Effect<ReadonlyArray<string>> =>
      Effect.flatMap(Effect.sleep(POLL_INTERVAL_MS), () => {
        const stats = this.paths.map(statOf)
        const now = stats.map(({ text }) => text).join("\n")
        const isSettled = now === before
        before = now
        const isNew = stats.some(({ writtenAt }) => Date.now() - writtenAt < SAME_TIME_MS)
        if (!isSettled || (now === compared && !isNew)) return look()
        const changed = this.paths.filter((path) => this.contentOf(path) !== this.read.get(path))
        if (changed.some((path) => statOf(path).size === 0) && gone < GONE_MS) {
          gone += POLL_INTERVAL_MS
          return look()
        }
        gone = 0
        compared = now
        return changed.length === 0 ? look() : Effect.succeed(changed)
      })
    return look()
  })

  private get paths(): ReadonlyArray<string> {
    return [...this.files, ...this.folders]
  }

  private contentOf(path: string): string {
    try {
      return this.folders.includes(path)
        ? readdirSync(path).toSorted().join("\n")
        : hash("sha1", readFileSync(path))
    } catch {
      return ""
    }
  }
}

/** Without a text for a missing file. */
const statOf = (
  path: string,
): { readonly text: string; readonly size: number; readonly writtenAt: number } => {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found === undefined) return { text: "", size: 0, writtenAt: 0 }
  const { ino, mtimeMs, size } = found
  return { text: `${ino} ${size} ${mtimeMs}`, size, writtenAt: mtimeMs }
}
