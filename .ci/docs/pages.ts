/** Files of this repository that are generated, each with the text it should have. */
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { defaultVocabulary } from "@planloom/analyst"
import { failureClasses } from "@planloom/plugin"
import { withBlocks } from "./blocks.ts"
import { exitCodeTable, reference } from "./commands.ts"
import { diagnosticsPage } from "./diagnosticsPage.ts"
import { withRecordings } from "./recordings.ts"
import { vocabularyText } from "./vocabularyText.ts"

const root = join(import.meta.dirname, "../..")

export interface Page {
  /** From the root of the repository. */
  readonly path: string
  /** The text it should have, given the one it has. */
  readonly text: (now: string) => string | Promise<string>
}

const failureTable = (): string =>
  ["| class | meaning |", "|---|---|"]
    .concat(Object.entries(failureClasses).map(([name, meaning]) => `| \`${name}\` | ${meaning} |`))
    .join("\n")

export const pages: ReadonlyArray<Page> = [
  { path: "README.md", text: withRecordings },
  { path: "docs/diagnostics.md", text: () => diagnosticsPage() },
  { path: "catalog/vocabulary.yaml", text: () => vocabularyText(defaultVocabulary()) },
  {
    path: "docs/cli.md",
    text: async (now) =>
      withBlocks(now, {
        "exit codes": exitCodeTable(),
        "failure classes": failureTable(),
        commands: await reference(),
      }),
  },
]

/** A page's path, the text it has and the text it should have. */
export const compared = async ({ path, text }: Page) => {
  const file = join(root, path)
  const now = await readFile(file, "utf8")
  return { file, now, wanted: await text(now) }
}
