/** Applies the certain edits of diagnostics, round by round, until none is left; `planloom check --fix`. */
import * as Effect from "effect/Effect"
import {
  checkFile,
  hasErrors,
  placeText,
  replaced,
  sortDiagnostics,
  type CheckedFile,
  type Diagnostic,
  type LoadOptions,
} from "@planloom/language"
import { readFile } from "node:fs/promises"
import { replaceFile } from "../author/replaceFile.ts"
import { problem, unwritten } from "../Refused.ts"

/** An edit may uncover the next problem. */
const MAX_ROUNDS = 10

export interface AppliedFix {
  readonly diagnostic: Diagnostic
  /** The text at the place before. */
  readonly before: string
  readonly after: string
  readonly round: number
}

interface Fixed {
  /** Texts of each changed file, by its path. */
  readonly texts: ReadonlyMap<string, { readonly before: string; readonly after: string }>
  readonly applied: ReadonlyArray<AppliedFix>
}

/** Finds the edits; nothing is written. Files outside of the project have none. */
export const fixed = (files: ReadonlyArray<string>, options: LoadOptions): Effect.Effect<Fixed> =>
  Effect.gen(function* () {
    const changed = new Map<string, { before: string; after: string }>()
    const applied: Array<AppliedFix> = []
    const check = (texts: ReadonlyMap<string, string>) =>
      Effect.forEach(files, (file) => checkFile(file, { ...options, texts }))
    let texts: ReadonlyMap<string, string> = new Map()
    let checked = yield* check(texts)
    for (let round = 1; round <= MAX_ROUNDS; round++) {
      const all = fixableOf(checked)
      let step = edited(all, checked, texts, round)
      let next = yield* check(step.texts)
      if (isAnyBroken(next, checked)) {
        // What was without errors stays so: an edit that does not go with those before it waits for another round.
        const accepted: Array<Diagnostic> = []
        for (const one of all) {
          const together = edited([...accepted, one], checked, texts, round)
          if (!isAnyBroken(yield* check(together.texts), checked)) accepted.push(one)
        }
        step = edited(accepted, checked, texts, round)
        next = yield* check(step.texts)
      }
      if (step.applied.length === 0) break
      for (const [path, after] of step.texts) {
        const before = changed.get(path)?.before ?? textOf(path, checked, new Map())
        changed.set(path, { before, after })
      }
      applied.push(...step.applied)
      texts = step.texts
      checked = next
    }
    return {
      applied,
      texts: new Map([...changed].filter(([, { after, before }]) => after !== before)),
    }
  })

const isAnyBroken = (
  now: ReadonlyArray<CheckedFile>,
  before: ReadonlyArray<CheckedFile>,
): boolean => now.some(({ diagnostics }, index) => isBroken(diagnostics, before[index]!))

const fixableOf = (checked: ReadonlyArray<CheckedFile>): ReadonlyArray<Diagnostic> =>
  sortDiagnostics(checked.flatMap(({ diagnostics }) => diagnostics)).filter(
    ({ fix }) => fix !== undefined,
  )

/** Whether a file has errors that it had not, or cannot be read any more. */
const isBroken = (diagnostics: ReadonlyArray<Diagnostic>, before: CheckedFile): boolean =>
  hasErrors(diagnostics) &&
  (!hasErrors(before.diagnostics) || (isUnread(diagnostics) && !isUnread(before.diagnostics)))

const isUnread = (diagnostics: ReadonlyArray<Diagnostic>): boolean =>
  diagnostics.some(({ code }) => code === "PL0003" || code === "PL0004")

const textOf = (
  path: string,
  checked: ReadonlyArray<CheckedFile>,
  texts: ReadonlyMap<string, string>,
): string =>
  texts.get(path) ?? checked.find(({ sources }) => sources.has(path))!.sources.get(path)!.text

/** One round: every edit that does not touch another one. */
const edited = (
  fixable: ReadonlyArray<Diagnostic>,
  checked: ReadonlyArray<CheckedFile>,
  texts: ReadonlyMap<string, string>,
  round: number,
) => {
  const next = new Map(texts)
  const applied: Array<AppliedFix> = []
  for (const path of new Set(fixable.map(({ fix }) => fix!.file))) {
    const text = textOf(path, checked, texts)
    const lineBreak = text.includes("\r\n") ? "\r\n" : "\n"
    const edits = fixable
      .filter(({ fix }) => fix!.file === path)
      .map((diagnostic) => ({
        diagnostic,
        from: diagnostic.fix!.start.offset,
        to: diagnostic.fix!.end.offset,
        text: diagnostic.fix!.text.replaceAll(/\r?\n/g, lineBreak),
      }))
    const result = replaced(text, edits)
    next.set(path, result.text)
    for (const { diagnostic, from, text: after, to } of result.applied) {
      applied.push({ diagnostic, before: text.slice(from, to), after, round })
    }
  }
  return { texts: next, applied }
}

/** Writes the changed files, each in one step; one that another process changed meanwhile is left. */
export const writeFixed = ({ texts }: Fixed) =>
  Effect.forEach(texts, ([path, { after, before }]) =>
    Effect.tryPromise({
      try: async () => {
        const now = await readFile(path, "utf8")
        if (now !== before) return false
        await replaceFile(path, after)
        return true
      },
      catch: (error) => unwritten(`${path} cannot be written`, error),
    }).pipe(
      Effect.flatMap((isWritten) =>
        isWritten
          ? Effect.void
          : Effect.fail(problem(`${path} was changed while it was checked`, "run it again")),
      ),
    ),
  )

const MAX_SHOWN = 60

/** `plan.yaml:3:1 PL0101 "steps" is now "stages"`. */
export const fixLine = ({ after, before, diagnostic }: AppliedFix): string => {
  const place = `${placeText(diagnostic)} ${diagnostic.code}`
  if (before.trim() === "") return `${place} added ${shown(after)}`
  return after.trim() === ""
    ? `${place} removed ${shown(before)}`
    : `${place} ${shown(before)} is now ${shown(after)}`
}

const shown = (text: string): string => {
  const line = text.trim().replaceAll(/\s+/g, " ")
  return line.length > MAX_SHOWN ? `${line.slice(0, MAX_SHOWN - 1)}…` : line
}
