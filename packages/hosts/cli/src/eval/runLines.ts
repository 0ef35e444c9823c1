/** `--out runs.jsonl`: writes one line per run as soon as the run ends. */
import { createWriteStream, type WriteStream } from "node:fs"
import { mkdir } from "node:fs/promises"
import { dirname } from "node:path"
import { finished } from "node:stream/promises"
import type { EndedRun } from "@planloom/testing"
import * as Effect from "effect/Effect"
import { unwritten, type Refused } from "../Refused.ts"
import { mayWrite } from "../trust/mayWrite.ts"
import { say } from "../terminal/Screen.ts"

export interface RunLines {
  readonly write: (file: string, ended: EndedRun) => void
  readonly close: Effect.Effect<void, Refused>
}

/** Opens all files first, so that an unwritable one is reported before any run costs money. */
export const runLines = (paths: ReadonlyArray<string>): Effect.Effect<RunLines, Refused> =>
  Effect.map(Effect.forEach(paths, open), (streams) => ({
    write: (file, ended) => {
      if (streams.length === 0) return
      const line = `${JSON.stringify(lineOf(file, ended))}\n`
      for (const { stream } of streams) stream.write(line)
    },
    close: Effect.forEach(
      streams,
      ({ path, stream }) =>
        Effect.tryPromise({
          try: async () => {
            stream.end()
            await finished(stream)
            say(`wrote ${path}`)
          },
          catch: (error) => refused(path, error),
        }),
      { discard: true },
    ),
  }))

const open = (path: string) => Effect.andThen(mayWrite(path, { typed: true }), opened(path))

const opened = (path: string) =>
  Effect.tryPromise({
    try: async (): Promise<{ readonly path: string; readonly stream: WriteStream }> => {
      await mkdir(dirname(path), { recursive: true })
      const stream = createWriteStream(path)
      await new Promise((resolve, reject) => {
        stream.once("open", resolve)
        stream.once("error", reject)
      })
      // `close` reports the error.
      stream.on("error", () => {})
      return { path, stream }
    },
    catch: (error) => refused(path, error),
  })

const refused = (path: string, error: unknown): Refused =>
  unwritten(`${path} cannot be written`, error)

const lineOf = (file: string, { judged, one, result, run, variant }: EndedRun) => ({
  evaluation: file,
  variant,
  case: one.name,
  run: run + 1,
  file: one.file,
  line: one.line,
  passed: judged.unmet.length === 0,
  status: result.status,
  scores: judged.scores,
  missed: judged.missed,
  unmet: judged.unmet.map(({ assertion, message }) => ({ assertion, message })),
  ...(result.failure === undefined ? {} : { failure: result.failure }),
  degraded: result.degraded,
  outputs: result.outputs,
  usage: result.usage,
  ms: (result.finishedAt ?? result.startedAt) - result.startedAt,
})
