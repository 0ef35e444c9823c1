/** The code of the watchdog's thread: ends the process when the main thread stands still. Refers to nothing outside of itself. */
import type * as Fs from "node:fs"
import type * as Inspector from "node:inspector"
import type * as Threads from "node:worker_threads"

export interface WatchData {
  /** Number of ticks of the event loop; 1 while a debugger may hold it. */
  readonly cells: Int32Array
  /** Names of the runs under way: places of `placeBytes`. */
  readonly underWay: Uint8Array
  readonly placeBytes: number
  /** Milliseconds. */
  readonly limit: number
  /** Evaluated in the main thread while that is paused: it notes the run on hand and ends the process. */
  readonly end: string
}

/** The names in places: of each, its length in bytes, and the name as UTF-8. */
export const namesIn = (memory: Uint8Array, placeBytes: number): ReadonlyArray<string> => {
  const names: Array<string> = []
  for (let start = 0; start < memory.length; start += placeBytes) {
    const length = Atomics.load(memory, start)
    if (length > 0) {
      names.push(new TextDecoder().decode(memory.slice(start + 1, start + 1 + length)))
    }
  }
  return names
}

/** Its text is what the thread runs: a file of its own would have to be found by every bundle of a host. */
export const watchLoop = (names: typeof namesIn): void => {
  const { workerData } = process.getBuiltinModule("node:worker_threads") as typeof Threads
  const { writeSync } = process.getBuiltinModule("node:fs") as typeof Fs
  const { Session } = process.getBuiltinModule("node:inspector") as typeof Inspector
  const { cells, end, limit, placeBytes, underWay } = workerData as WatchData
  const step = Math.max(10, Math.min(250, limit / 20))
  /** A long garbage collection or write that has just ended is followed by a tick within this time. */
  const grace = Math.max(2 * step, Math.min(1000, limit / 4))
  /** Native code that cannot be paused is ended without a look at it; a busy machine takes seconds to pause other code. */
  const most = Math.max(3 * limit, limit + 5000)
  /** How long the main thread may take to note the run. */
  const NOTE_MS = 3000

  let ticks = -1
  let stood = 0
  let lookedAt = performance.now()
  let session: Inspector.Session | undefined
  /** Addresses of the scripts that are loaded, by their ids. */
  const scripts = new Map<string, string>()
  /** Pauses that were asked for, and when the first of them came about. */
  let asked = 0
  let sampledAt: number | undefined
  let isEnding = false

  /** Where the code stands that is not Node's own. */
  const placeOf = (frames: ReadonlyArray<Inspector.Debugger.CallFrame>): string => {
    for (const { location } of frames) {
      const url = scripts.get(location.scriptId) ?? ""
      if (url !== "" && !url.startsWith("node:")) return `${url}:${location.lineNumber + 1}`
    }
    return ""
  }

  const kill = (): void => {
    const runs = names(underWay, placeBytes).join(", ")
    try {
      writeSync(
        2,
        `planloom: the event loop has stood still for ${Math.round(stood)} ms in code that cannot be interrupted; the process ends. Runs under way: ${runs === "" ? "none" : runs}\n`,
      )
    } finally {
      process.kill(process.pid, "SIGKILL")
    }
  }

  const release = (): void => {
    session?.disconnect()
    session = undefined
    sampledAt = undefined
    asked = 0
  }

  const pause = (): void => {
    asked++
    if (session === undefined) {
      const opened = new Session()
      opened.connectToMainThread()
      opened.on("Debugger.scriptParsed", ({ params }) => scripts.set(params.scriptId, params.url))
      opened.on("Debugger.paused", ({ params }) => {
        // Native code may have ended only now: the loop gets the time for a turn.
        if (sampledAt === undefined) {
          sampledAt = stood
          return opened.post("Debugger.resume")
        }
        const where = placeOf(params.callFrames)
        isEnding = true
        setTimeout(kill, NOTE_MS)
        opened.post("Runtime.evaluate", {
          expression: `${end}(${Math.round(stood)}, ${JSON.stringify(where)})`,
          silent: true,
        })
      })
      opened.post("Debugger.enable")
      session = opened
    }
    session.post("Debugger.pause")
  }

  setInterval(() => {
    if (isEnding) return
    const now = performance.now()
    // A process that was stopped, or a machine that slept, has not executed meanwhile.
    const passed = Math.min(now - lookedAt, 2 * step)
    lookedAt = now
    const seen = Atomics.load(cells, 0)
    if (seen !== ticks || Atomics.load(cells, 1) === 1) {
      ticks = seen
      stood = 0
      return release()
    }
    stood += passed
    if (stood >= (sampledAt ?? 0) + most) kill()
    else if (
      sampledAt === undefined
        ? stood >= limit && asked < 1
        : stood >= sampledAt + grace && asked < 2
    )
      pause()
  }, step)
}
