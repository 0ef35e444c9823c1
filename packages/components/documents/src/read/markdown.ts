/** Texts of documents as blocks of Markdown. */

/** A paragraph: a line of it is no heading, rule or fence. */
export const paragraphBlock = (text: string): string =>
  text.replace(/^(?=[#>`~]|-{3}|={3})/gm, "\\")

export const headingBlock = (level: number, title: string): string =>
  `${"#".repeat(Math.min(6, Math.max(1, level)))} ${title}`

export const itemBlock = (text: string): string => `- ${text.replaceAll("\n", "\n  ")}`

/** Rows with the header first; cells have one line. */
export const tableBlock = (rows: ReadonlyArray<ReadonlyArray<string>>): string => {
  const line = (cells: ReadonlyArray<string>) =>
    `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`
  const [head = [], ...rest] = rows
  return [line(head), line(head.map(() => "---")), ...rest.map(line)].join("\n")
}

export const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim()
