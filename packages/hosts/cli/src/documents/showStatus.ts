/** Implements `planloom documents status`: prints libraries as of their last sync. */
import { existsSync } from "node:fs"
import { relative } from "node:path"
import type { DocumentSet, IndexStatus, Libraries } from "@planloom/documents/manage"
import * as Effect from "effect/Effect"
import type { Handler } from "../deferred.ts"
import type { ExitName } from "../ExitCode.ts"
import { timeText } from "../runs/listRuns.ts"
import { count, plural } from "../terminal/quantity.ts"
import { print, say, stderr, stdout, textWidth } from "../terminal/Screen.ts"
import { table } from "../terminal/table.ts"
import { oneLine } from "../terminal/text.ts"
import type { LibrariesFlags } from "./syncLibraries.ts"
import { attempt, NO_LIBRARIES, withLibraries } from "./withLibraries.ts"

interface Shown {
  readonly set: DocumentSet
  /** Undefined before the first sync. */
  readonly status: IndexStatus | undefined
}

export const showStatus: Handler<LibrariesFlags> = ({ from, json, libraries: names }) =>
  withLibraries(from, names, (sets, libraries) =>
    Effect.gen(function* () {
      const shown = yield* attempt(() => sets.map((set) => statusOf(set, libraries)))
      if (json) print(JSON.stringify(shown.map(statusJson), null, 2))
      else if (sets.length === 0) say(stderr.style.dim(NO_LIBRARIES))
      else print(statusText(shown))
      return "ok" as ExitName
    }),
  )

/** Looking at a library that was never synced makes no index. */
const statusOf = (set: DocumentSet, libraries: Libraries): Shown => ({
  set,
  status: existsSync(set.index) ? libraries.open(set).status() : undefined,
})

/** The folder and the files that it is made of. */
const sourcesOf = ({
  sources: { folder, pages, rows = [] },
}: DocumentSet): ReadonlyArray<string> => [
  ...(folder === undefined ? [] : [relative(process.cwd(), folder.root) || "."]),
  ...rows.map(({ name }) => name),
  ...(pages === undefined ? [] : [plural(pages.urls.length, "URL")]),
]

const isoTime = (at: number): string => new Date(at).toISOString()

const statusJson = ({ set, status }: Shown) => {
  const { failure, synced, ...rest } = status ?? {}
  return {
    library: set.name,
    sources: sourcesOf(set),
    index: relative(process.cwd(), set.index),
    synced: synced === undefined ? null : isoTime(synced),
    ...rest,
    ...(failure === undefined
      ? {}
      : { failure: { message: failure.message, at: isoTime(failure.at) } }),
  }
}

const statusText = (shown: ReadonlyArray<Shown>): string => {
  const { style } = stdout
  const rows = shown.map(({ set, status }) => [
    set.name,
    sourcesOf(set).join(", "),
    ...(status === undefined
      ? ["", "", ""]
      : [String(status.files), String(status.passages), count(status.tokens)]),
    status?.synced === undefined ? "never synced" : timeText(status.synced),
  ])
  return [
    ...table(
      [
        { head: "library", align: "left", paint: style.name },
        { head: "sources", align: "left" },
        { head: "files", align: "right" },
        { head: "passages", align: "right" },
        { head: "tokens", align: "right" },
        { head: "synced", align: "left" },
      ],
      rows,
      textWidth(stdout),
      style.dim,
    ),
    ...shown.flatMap(({ set, status }) => notesOf(status).map((note) => `${set.name}: ${note}`)),
  ].join("\n")
}

const notesOf = (status: IndexStatus | undefined): ReadonlyArray<string> => {
  if (status === undefined) return []
  const { style } = stdout
  const { cut, failure, left, unreadable } = status
  return [
    ...(failure === undefined
      ? []
      : [
          style.bad(
            `the sync of ${timeText(failure.at)} failed: ${oneLine(failure.message)}; searches answer from the one before`,
          ),
        ]),
    ...unreadable.map(({ path, reason }) => style.bad(oneLine(`${path} is not read: ${reason}`))),
    ...cut.map(({ path, reason }) => style.warn(oneLine(`${path} is read in part: ${reason}`))),
    ...(left ? [style.warn("there are more files than `max_files`")] : []),
  ]
}
