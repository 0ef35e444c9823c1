/** The command lines of the documentation's shell blocks. */
import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { codeBlocks } from "../../../../.ci/docs/codeBlocks.ts"

const root = join(import.meta.dirname, "../../../..")

export interface CommandLine {
  readonly page: string
  /** Without what follows a `#`, and without the prompt of the shell. */
  readonly line: string
}

/** Pages whose commands are run by other tests, as whole guides. */
const asGuides = ["docs/how-to/**", "docs/tutorials/**"]

/** Help texts: their examples are of flags, which `flags.prove.ts` runs. */
const help = ["docs/cli.md"]

const pages = globSync(
  ["README.md", "docs/**/*.md", "packages/*/*/README.md", "examples/*/README.md"],
  {
    cwd: root,
    exclude: [...asGuides, ...help],
  },
).toSorted()

const isShell = ({ language }: { readonly language: string }): boolean =>
  ["bash", "console", "sh"].includes(language)

/** In a block with a `$`, other lines are what the commands print. */
const linesOf = (text: string): ReadonlyArray<string> => {
  const lines = text.replaceAll(/\\\n\s*/g, "").split("\n")
  const prompted = lines.filter((line) => line.startsWith("$ "))
  return (prompted.length > 0 ? prompted.map((line) => line.slice(2)) : lines)
    .map((line) => line.replace(/\s+#\s.*$/, "").trim())
    .filter((line) => line !== "" && !line.startsWith("#"))
}

export const commandLines: ReadonlyArray<CommandLine> = pages.flatMap((page) =>
  codeBlocks(readFileSync(join(root, page), "utf8"))
    .filter(isShell)
    .flatMap(({ text }) => linesOf(text).map((line) => ({ page, line }))),
)
