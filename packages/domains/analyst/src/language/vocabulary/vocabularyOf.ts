/** Merges the vocabulary files of a workflow. */
import { defaultVocabulary } from "./defaultVocabulary.ts"
import { extendVocabulary, type Vocabulary, type VocabularyFile } from "./Vocabulary.ts"

const noWords: Vocabulary = {
  analysis: {},
  outputs: {},
  charts: {},
  grains: {},
  synonyms: [],
  most: {},
  least: {},
  negations: [],
  rows: [],
  silent: [],
}

/** Merged vocabularies by the list of files, so that a workflow's files are merged once. */
const merged = new WeakMap<ReadonlyArray<VocabularyFile>, Vocabulary>()

/** The vocabulary of these files, merged in order, with the general English words unless a file has `base: none`. */
export const vocabularyOf = (files: ReadonlyArray<VocabularyFile>): Vocabulary => {
  const known = merged.get(files)
  if (known !== undefined) return known
  const isWhole = files.some(({ base }) => base === "none")
  const found = files.reduce(extendVocabulary, isWhole ? noWords : defaultVocabulary())
  merged.set(files, found)
  return found
}
