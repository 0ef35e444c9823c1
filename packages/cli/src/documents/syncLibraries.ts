/** Implements `planloom documents sync`: syncs libraries, and prints what has changed and what cannot be read. */
import { DocumentsFailed, type IndexStatus, type SyncReport } from "@planloom/documents/manage"
import * as Effect from "effect/Effect"
import type { Handler } from "../deferred.ts"
import type { ExitName } from "../ExitCode.ts"
import { count, plural } from "../terminal/quantity.ts"
import { print, say, stderr, stdout } from "../terminal/Screen.ts"
import { oneLine } from "../terminal/text.ts"
import { SyncLine } from "./SyncLine.ts"
import { attempt, NO_LIBRARIES, withLibraries } from "./withLibraries.ts"

export interface LibrariesFlags {
  readonly libraries: ReadonlyArray<string>
  readonly from: string | undefined
  readonly json: boolean
}

interface Synced {
  readonly name: string
  /** The report, or why the sync failed: the index then stays as it was. */
  readonly outcome: { readonly report: SyncReport; readonly status: IndexStatus } | string
}

export const syncLibraries: Handler<LibrariesFlags> = ({ from, json, libraries: names }) =>
  withLibraries(from, names, (sets, libraries) =>
    Effect.gen(function* () {
      const done: Array<Synced> = []
      for (const set of sets) {
        const line = new SyncLine(stderr, set.name)
        const outcome = yield* attempt(async (signal): Promise<Synced["outcome"]> => {
          try {
            return await libraries.synced(
              [set],
              { signal, onFile: line.show, asksPages: true },
              ([one]) => {
                const { index, report } = one!
                if (report.changed.length + report.removed.length > 0) index.purge()
                return { report, status: index.status() }
              },
            )
          } catch (error) {
            if (error instanceof DocumentsFailed) return error.message
            throw error
          } finally {
            line.clear()
          }
        })
        const synced = { name: set.name, outcome }
        done.push(synced)
        if (!json) printSynced(synced)
      }
      if (json) print(JSON.stringify(done.map(syncedJson), null, 2))
      else if (sets.length === 0) say(stderr.style.dim(NO_LIBRARIES))
      return (done.some(({ outcome }) => typeof outcome === "string") ? "failed" : "ok") as ExitName
    }),
  )

const syncedJson = ({ name, outcome }: Synced) =>
  typeof outcome === "string"
    ? { library: name, failure: outcome }
    : {
        library: name,
        files: outcome.status.files,
        passages: outcome.status.passages,
        tokens: outcome.status.tokens,
        ...outcome.report,
      }

/** Lines of each kind that are printed. */
const SHOWN = 20

const printSynced = ({ name, outcome }: Synced): void => {
  const { style } = stdout
  if (typeof outcome === "string") {
    say(stderr.style.bad(`${name}: ${oneLine(outcome)}`))
    return
  }
  const { added, changed, cut, left, removed, unreadable } = outcome.report
  const { files, passages, tokens } = outcome.status
  const news = [
    [added, "added"],
    [changed, "changed"],
    [removed, "removed"],
  ] as const
  const said = news.flatMap(([paths, what]) =>
    paths.length === 0 ? [] : [`${paths.length} ${what}`],
  )
  const kinds: ReadonlyArray<readonly [mark: string, ReadonlyArray<string>]> = [
    ["+", added],
    ["~", changed],
    ["-", removed],
    [style.bad("unreadable"), unreadable.map(({ path, reason }) => `${path}: ${reason}`)],
    [style.warn("cut"), cut.map(({ path, reason }) => `${path}: ${reason}`)],
  ]
  const lines = kinds.flatMap(([mark, texts]) => [
    ...texts.slice(0, SHOWN).map((text) => `  ${mark} ${oneLine(text)}`),
    ...(texts.length > SHOWN ? [`  ${mark} ${texts.length - SHOWN} more: --json has all`] : []),
  ])
  print(
    [
      `${style.name(name)}: ${said.join(", ") || "nothing has changed"}; it has ${plural(files, "file")}, ${plural(passages, "passage")}, ${count(tokens)} tokens`,
      ...lines,
      ...(left ? [style.warn("  there are more files than `max_files`")] : []),
    ].join("\n"),
  )
}
