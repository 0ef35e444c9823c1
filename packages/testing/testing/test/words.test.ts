/** Names, comments, documentation and messages use the field's nouns: no word of the list below stands in a source or a page. */
import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"

const root = join(import.meta.dirname, "../../../..")

/** Each with what to write instead. */
const avoided: ReadonlyArray<readonly [pattern: RegExp, instead: string]> = [
  [/\b(told|tells?|telling)\b/, "emit, report, record, return, describe"],
  [/\bmend(s|ed|ing)?\b/, "fix, repair"],
  [
    /\b(nobody|somebody|anybody|whoever|whomever)\b/,
    "name the subject: no process, a person, the caller",
  ],
  [/\b(go|goes|going|went|gone) on\b/, "continue, resume"],
  [
    /\b(begun|takes? up|taken up|puts? down|gives? up|given up)\b/,
    "started, claim, enqueue, abandon",
  ],
  [/\btroubles?\b/, "error, failure"],
  [/\bmisfits?\b/, "mismatch"],
  [/\b(obey|obeys|obeyed|obedience)\b/, "apply, follow, honor"],
  [/\b(bears?|hears?|heard|bore)\b/, "carry, receive"],
  [/\bis (none|no such)\b/, "write the condition: unless it is a number"],
  [/\b(for ever|as it is|no such place)\b/, "write the condition"],
]

/** Folders still to be rewritten; shrinks to nothing. */
const pending: ReadonlyArray<string> = []

/** English words that search and questions are matched with: data, not prose. */
const data: ReadonlySet<string> = new Set([
  "packages/domains/analyst/src/language/vocabulary/defaultVocabulary.ts",
  "packages/components/documents/src/index/grammarWords.ts",
  "packages/engine/planning/src/reading/words/english.ts",
  "packages/components/retrieval/src/text/clauses.ts",
  "packages/components/retrieval/src/text/stopWords.ts",
])

const files = execFileSync("git", ["ls-files", "-z", "packages", "docs", "*.md"], {
  cwd: root,
  encoding: "utf8",
})
  .split("\0")
  .filter((file) => /\.(ts|tsx|md)$/.test(file) && !/\.(test|prove)\.ts$/.test(file))
  .filter((file) => /^packages\/[^/]+\/[^/]+\/(src\/|README)|^docs\/|^[A-Z]+\.md$/.test(file))

/** Identifiers as words: `goesOnWith` and `goes_on` are read as people read them. */
const asWords = (line: string): string =>
  line
    .replaceAll(/([a-z])([A-Z])/g, "$1 $2")
    .replaceAll("_", " ")
    .toLowerCase()

it("no source or page uses a word that a plain term replaces", () => {
  const found = files
    .filter((file) => !data.has(file) && !pending.some((folder) => file.startsWith(folder)))
    .flatMap((file) =>
      readFileSync(join(root, file), "utf8")
        .split("\n")
        .flatMap((line, index) =>
          avoided
            .filter(([pattern]) => pattern.test(asWords(line)))
            .map(([, instead]) => `${file}:${index + 1} write ${instead}: ${line.trim()}`),
        ),
    )
  expect(found).toEqual([])
})
