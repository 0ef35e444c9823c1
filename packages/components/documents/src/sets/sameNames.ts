/** Libraries of one name: those of a used file and another file, or of a workflow or project, which would replace each other unseen. */
import { relative } from "node:path"
import type { Declared, Known, Problem, ValuePath } from "@planloom/plugin/effect"
import { FILE_KIND, type WrittenSets } from "./readSets.ts"

/** Of a workflow or project: a used file has the name, too. */
export const namesInFiles = (sets: WrittenSets, { declared }: Known): ReadonlyArray<Problem> =>
  declared === undefined ? [] : problemsOf(sets, [], declared, declared.files(FILE_KIND))

/** Of a used file: a file before it has the name, too. */
export const namesInEarlierFiles = (
  sets: WrittenSets,
  { declared }: Known,
): ReadonlyArray<Problem> => {
  if (declared === undefined) return []
  const files = declared.files(FILE_KIND)
  const own = files.findIndex(({ value }) => librariesIn(value) === sets)
  return own < 0 ? [] : problemsOf(sets, ["libraries"], declared, files.slice(0, own))
}

const librariesIn = (value: unknown): WrittenSets =>
  (value as { readonly libraries: WrittenSets }).libraries

const problemsOf = (
  sets: WrittenSets,
  at: ValuePath,
  { root }: Declared,
  files: ReturnType<Declared["files"]>,
): ReadonlyArray<Problem> =>
  Object.keys(sets).flatMap((name) => {
    const other = files.find(({ value }) => Object.hasOwn(librariesIn(value), name))
    if (other === undefined) return []
    return [
      {
        code: "DOCUMENTS3",
        message: `the library ${name} is declared here and in ${relative(root, other.path)}`,
        at: [...at, name],
        fix: "Rename one of them, or remove it.",
      },
    ]
  })
