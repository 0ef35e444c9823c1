/** Implements `planloom serve --watch`: loads a served workflow again when a file that it was read from changes. */
import * as Effect from "effect/Effect"
import { FileWatch } from "@planloom/dev"
import { stderr, say } from "../terminal/Screen.ts"
import { problemsText, sameName, type ServedFile, type ServedWorkflows } from "./servedWorkflows.ts"
import type { Version } from "./Versions.ts"

export const watchWorkflows = (served: ServedWorkflows): Effect.Effect<never> =>
  Effect.andThen(
    Effect.forEach(served.files, (file) => watched(served, file), {
      concurrency: "unbounded",
      discard: true,
    }),
    Effect.never,
  )

/** Loads once before the first change: the files may have changed since the server read them. */
const watched = (served: ServedWorkflows, file: ServedFile): Effect.Effect<never> =>
  Effect.suspend(() => {
    const changes = new FileWatch()
    const watch = () => {
      const { path, problems, sources } = file
      const files = sources.size === 0 ? [path] : [...sources.keys()]
      changes.watch({ files, hasErrors: problems !== undefined })
    }
    watch()
    const load = Effect.suspend(() => {
      changes.mark()
      return Effect.andThen(reload(served, file), Effect.sync(watch))
    })
    return Effect.forever(Effect.andThen(load, changes.next))
  })

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
