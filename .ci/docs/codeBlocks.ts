/** The fenced blocks of a Markdown page. */

export interface CodeBlock {
  readonly language: string
  /** The file that the block shows, written as `title=path` after its language. */
  readonly path: string | undefined
  readonly text: string
}

/** A block of a list has the indentation of its item. */
export const codeBlocks = (page: string): ReadonlyArray<CodeBlock> =>
  [...page.matchAll(/^( *)```(\w+)(?: title=(\S+))?\n([^]*?)^\1```$/gm)].map(
    ([, indent, language, path, text]) => ({
      language: language!,
      path,
      text: text!.replaceAll(new RegExp(`^${indent}`, "gm"), ""),
    }),
  )
