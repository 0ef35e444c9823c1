/** Implements `planloom documents sync`: syncs libraries, and prints what has changed, what cannot be read and what is embedded. */
import {
  DocumentsFailed,
  type IndexStatus,
  type Libraries,
  type SyncReport,
} from "@planloom/documents/manage"
import * as Effect from "effect/Effect"
import type { Handler } from "../deferred.ts"
import type { ExitName } from "../ExitCode.ts"
import { count, plural } from "../terminal/quantity.ts"
import { doing } from "../terminal/activity.ts"
import { print, say, stderr, stdout } from "../terminal/Screen.ts"
import { oneLine } from "../terminal/text.ts"
import {
  embeddedJson,
  embeddedText,
  embedLibrary,
  type EmbeddedLibrary,
  type EmbedOptions,
} from "./embedLibrary.ts"
import { openEmbedders, type OpenEmbedder } from "./openEmbedder.ts"
import { attempt, NO_LIBRARIES, withLibraries, type DeclaredSet } from "./withLibraries.ts"

export interface LibrariesFlags {
  readonly libraries: ReadonlyArray<string>
  readonly from: string | undefined
  readonly json: boolean
}

export interface SyncFlags extends LibrariesFlags {
  readonly yes: boolean
}

interface Outcome {
  readonly report: SyncReport
  readonly status: IndexStatus
  /** Of a library with an embedder. */
  readonly embedded: EmbeddedLibrary | undefined
}

interface Synced {
  readonly name: string
  /** Or why the sync failed: the index then stays as it was. */
  readonly outcome: Outcome | string
}

export const syncLibraries: Handler<SyncFlags> = ({ from, json, libraries: names, yes }) =>
  withLibraries(from, names, (sets, libraries, leftOut) =>
    Effect.gen(function* () {
      const done: Array<Synced> = []
      const embedders = yield* openEmbedders(sets)
      for (const [at, set] of sets.entries()) {
        const outcome = yield* attempt((signal) =>
          syncOne(set, libraries, embedders[at], { json, signal, yes }),
        )
        const synced = { name: set.name, outcome }
        done.push(synced)
        if (!json) printSynced(synced)
      }
      if (json) print(JSON.stringify(done.map(syncedJson), null, 2))
      else if (sets.length === 0) say(stderr.style.dim(NO_LIBRARIES))
      if (!done.every(isDone)) return "failed" as ExitName
      // Not all libraries are known; those that are named were.
      return (names.length === 0 && leftOut.length > 0 ? "problems" : "ok") as ExitName
    }),
  )

const isDone = ({ outcome }: Synced): boolean =>
  typeof outcome !== "string" && outcome.embedded?.problem === undefined

const syncOne = async (
  set: DeclaredSet,
  libraries: Libraries,
  embedder: OpenEmbedder | undefined,
  options: EmbedOptions,
): Promise<Synced["outcome"]> => {
  doing(`${set.name}: looking for changes`)
  const onFile = (path: string, at: number, all: number) =>
    doing(`${set.name}: ${at}/${all}  ${path}`)
  const reading = { signal: options.signal, onFile, asksPages: true }
  try {
    return await libraries.synced([set], reading, async ([one]) => {
      const { index, report } = one!
      const embedded = embedder && (await embedLibrary(set.name, index, embedder, options))
      if (report.changed.length + report.removed.length > 0) index.purge()
      return { report, status: index.status(), embedded }
    })
  } catch (error) {
    if (error instanceof DocumentsFailed) return error.message
    throw error
  }
}

const syncedJson = ({ name, outcome }: Synced) =>
  typeof outcome === "string"
    ? { library: name, failure: outcome }
    : {
        library: name,
        files: outcome.status.files,
        passages: outcome.status.passages,
        tokens: outcome.status.tokens,
        ...outcome.report,
        ...(outcome.embedded && { embedding: embeddedJson(outcome.embedded) }),
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
  const { embedded } = outcome
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
      ...(embedded === undefined
        ? []
        : [`  ${(embedded.problem === undefined ? String : style.warn)(embeddedText(embedded))}`]),
      ...(left ? [style.warn("  there are more files than `max_files`")] : []),
    ].join("\n"),
  )
}
