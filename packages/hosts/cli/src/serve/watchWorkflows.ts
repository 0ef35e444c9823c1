/** Implements `planloom serve --watch`: loads a served workflow again when a file that it was read from changes. */
import { readdir, readFile } from "node:fs/promises"
import { dirname } from "node:path"
import * as Effect from "effect/Effect"
import { stderr, say } from "../terminal/Screen.ts"
import { problemsText, sameName, type ServedFile, type ServedWorkflows } from "./servedWorkflows.ts"
import type { Version } from "./Versions.ts"

/** Polled rather than notified: network folders and mounts of containers report no changes. */
const POLL_INTERVAL_MS = 250

export const watchWorkflows = (served: ServedWorkflows): Effect.Effect<never> =>
  Effect.andThen(
    Effect.forEach(served.files, (file) => watched(served, file), {
      concurrency: "unbounded",
      discard: true,
    }),
    Effect.never,
  )

const watched = (served: ServedWorkflows, file: ServedFile): Effect.Effect<never> =>
  Effect.gen(function* () {
    let before = ""
    let tried = ""
    while (true) {
      yield* Effect.sleep(POLL_INTERVAL_MS)
      const now = yield* Effect.promise(() => currentState(file))
      // A file that is being written is read when two polls see the same.
      const isSettled = now === before
      before = now
      if (!isSettled || now === tried || now === stateOf(file)) continue
      tried = now
      yield* reload(served, file)
    }
  })

/** The texts that the workflow was last read with. */
const stateOf = ({ sources }: ServedFile): string =>
  JSON.stringify([...sources].map(([path, { text }]) => [path, text]))

/** The same of the files now. With problems also the names in their folders: a missing file may have been added. */
const currentState = async ({ path: own, problems, sources }: ServedFile): Promise<string> => {
  const paths = sources.size === 0 ? [own] : [...sources.keys()]
  const texts = paths.map(async (path) => [
    path,
    await readFile(path, "utf8").catch(() => undefined),
  ])
  const folders = problems === undefined ? [] : [...new Set(paths.map((path) => dirname(path)))]
  const names = folders.map((folder) => readdir(folder).catch(() => []))
  return JSON.stringify([...(await Promise.all(texts)), ...(await Promise.all(names))])
}

/** Replaces the version that new runs use, unless the files have errors, which are printed once. */
export const reload = (
  { files, versions, workflows }: ServedWorkflows,
  file: ServedFile,
): Effect.Effect<void> => {
  const keep = (text: string) => {
    if (text === file.problems) return
    file.problems = text
    say(text)
    const kept = file.version === undefined ? "is not served" : "is served with its previous text"
    say(stderr.style.warn(`${file.path} has problems and ${kept}`))
  }
  const replace = (version: Version): Effect.Effect<void> => {
    const { version: previous } = file
    const { name } = version.pipeline
    const other = files.find((one) => one !== file && one.version?.pipeline.name === name)
    file.sources = version.sources
    if (other !== undefined) {
      keep(sameName(other.path, file.path, name))
      return versions.release(version)
    }
    const isNews = version !== previous || file.problems !== undefined
    file.problems = undefined
    file.version = version
    if (previous !== undefined && previous.pipeline.name !== name) {
      workflows.delete(previous.pipeline.name)
    }
    workflows.set(name, version)
    if (isNews) say(stderr.style.dim(`${file.path} was loaded again: new runs of ${name} use it`))
    return previous === undefined ? Effect.void : versions.release(previous)
  }
  return Effect.matchEffect(versions.load(file.path), {
    onSuccess: replace,
    onFailure: (failure) =>
      Effect.sync(() => {
        if (failure._tag === "Refused") return keep(failure.message)
        file.sources = new Map([...file.sources, ...failure.sources])
        keep(problemsText(failure))
      }),
  })
}
