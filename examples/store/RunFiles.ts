/** The files of a store: reads and replaces whole JSON files, and knows which process owns a run. */
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { StoreFailed, type FailureClass } from "@planloom/plugin"
import {
  storeFailures,
  type CancelRequest,
  type RecordedRun,
  type ReviewedTurn,
  type SessionRecord,
} from "@planloom/plugin/store"

/** The content of a run's file. */
export interface RunFile extends RecordedRun {
  readonly epoch: number
  /** The process that records it: its id, and which of its stores. */
  readonly owner?: { readonly pid: number; readonly store: string }
  /** Owners in a row that fell silent, and the number of steps at the last of them. */
  readonly silent?: { readonly count: number; readonly steps: number }
  readonly failedWith?: FailureClass
  readonly cancel?: CancelRequest
  /** Questions that the run was suspended with. */
  readonly held: ReadonlyArray<string>
  /** Version of the session that the run saved. */
  readonly savedVersion?: number
  /** Set while later reviews may correct its turn. */
  readonly announced?: Pick<ReviewedTurn, "version" | "ms">
}

export interface SessionsFile {
  readonly [session: string]: SessionRecord
}

/** Stores of this process that are open. */
const open = new Set<string>()

export const failed = (reason: StoreFailed["reason"], run: string): StoreFailed =>
  new StoreFailed({ reason, message: `the run ${run}: ${storeFailures[reason]}` })

export class RunFiles {
  readonly store = crypto.randomUUID()
  private readonly folder: string
  private changes = 0

  constructor(folder: string) {
    this.folder = folder
    open.add(this.store)
  }

  close(): void {
    open.delete(this.store)
  }

  all(): ReadonlyArray<RunFile> {
    return readdirSync(this.folder)
      .filter((name) => name.startsWith("run-") && name.endsWith(".json"))
      .map((name) => JSON.parse(readFileSync(join(this.folder, name), "utf8")) as RunFile)
      .sort((a, b) => a.startedAt - b.startedAt || (a.run < b.run ? -1 : 1))
  }

  find(run: string): RunFile | undefined {
    return this.read<RunFile>(this.runPath(run))
  }

  get(run: string): RunFile {
    const found = this.find(run)
    if (found === undefined) throw failed("missing", run)
    return found
  }

  put(file: RunFile): RunFile {
    this.replace(this.runPath(file.run), file)
    return file
  }

  remove(run: string): void {
    rmSync(this.runPath(run), { force: true })
    this.changes++
  }

  sessions(): SessionsFile {
    return this.read<SessionsFile>(join(this.folder, "sessions.json")) ?? {}
  }

  putSessions(sessions: SessionsFile): void {
    this.replace(join(this.folder, "sessions.json"), sessions)
  }

  /** Whether a process that is alive has the run open. */
  isActive({ owner }: RunFile): boolean {
    if (owner === undefined) return false
    return owner.pid === process.pid ? open.has(owner.store) : isAlive(owner.pid)
  }

  /** Also changes when another process has written. */
  revision(): string {
    const names = this.all().map(({ epoch, events, run, steps, waits }) =>
      [run, epoch, events.length, steps.length, waits.length].join(":"),
    )
    return `${this.changes} ${names.join(" ")}`
  }

  /** Ids may hold any character. */
  private runPath(run: string): string {
    return join(this.folder, `run-${Buffer.from(run).toString("base64url")}.json`)
  }

  private read<A>(path: string): A | undefined {
    try {
      return JSON.parse(readFileSync(path, "utf8")) as A
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined
      throw error
    }
  }

  /** A process that is killed leaves the old file or the new one, never a part. */
  private replace(path: string, content: object): void {
    const next = `${path}.${this.store}`
    writeFileSync(next, JSON.stringify(content))
    renameSync(next, path)
    this.changes++
  }
}

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM"
  }
}
