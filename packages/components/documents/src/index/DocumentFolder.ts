/** The files of a folder that are documents, by their names. */
import { lstat, realpath } from "node:fs/promises"
import { walk, type FoundFile } from "../read/walk.ts"
import { DocumentsFailed } from "./DocumentsFailed.ts"

export interface DocumentFolder {
  readonly root: string
  /** Patterns of paths below the folder: `**` stands for any folders, `*` and `?` for characters of a name. */
  readonly include?: ReadonlyArray<string>
  readonly exclude?: ReadonlyArray<string>
  /** Most files. */
  readonly files?: number
}

export interface FoundDocuments {
  readonly root: string
  readonly files: ReadonlyArray<FoundFile>
  /** Folders that cannot be read. */
  readonly unreadable: ReadonlyArray<string>
  /** Whether there are more files. */
  readonly left: boolean
}

const MAX_FILES = 100_000

/** Patterns unless others are given: endings with a reader. */
const DEFAULT_INCLUDE =
  "md markdown html htm xhtml txt log csv tsv json yaml yml pdf docx xlsx pptx odt ods odp"
    .split(" ")
    .map((ending) => `**/*.${ending}`)

/** Fails with `DocumentsFailed` where there is no folder: a folder that is away is not an empty one. */
export const findDocuments = async (
  folder: DocumentFolder,
  signal: AbortSignal,
): Promise<FoundDocuments> => {
  const { exclude = [], files: most = MAX_FILES, include = DEFAULT_INCLUDE } = folder
  const root = await realpath(folder.root).catch(() => undefined)
  if (root === undefined || !(await lstat(root)).isDirectory())
    throw new DocumentsFailed(`there is no folder ${folder.root}`)
  const { files, left, unreadable } = await walk(root, most, signal)
  if (unreadable.includes("")) throw new DocumentsFailed(`${folder.root} cannot be read`)
  const [taken, refused] = [include.map(expressionOf), exclude.map(expressionOf)]
  const isTaken = ({ path }: FoundFile) =>
    taken.some((one) => one.test(path)) && !refused.some((one) => one.test(path))
  return { root, files: files.filter(isTaken), unreadable, left }
}

const expressionOf = (pattern: string): RegExp => {
  const source = pattern
    .replace(/^\.\//, "")
    .replace(/[.+^${}()|[\]\\]/g, "\\$&")
    .replace(/\*\*\/|\*\*|\*|\?/g, (mark) => marks[mark]!)
  return new RegExp(`^${source}$`, "i")
}

const marks: { readonly [mark: string]: string } = {
  "**/": "(?:.*/)?",
  "**": ".*",
  "*": "[^/]*",
  "?": "[^/]",
}
