/** The fenced blocks of a Markdown page. */

export interface CodeBlock {
  readonly language: string
  /** The file that the block shows, written as `title=path` after its language. */
  readonly path: string | undefined
  readonly text: string
}

export const codeBlocks = (page: string): ReadonlyArray<CodeBlock> =>
  [...page.matchAll(/^```(\w+)(?: title=(\S+))?\n([^]*?)^```$/gm)].map(
    ([, language, path, text]) => ({ language: language!, path, text: text! }),
  )
