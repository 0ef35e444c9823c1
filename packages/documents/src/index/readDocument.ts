/** Reads one file of a folder into a text with its form; what could not be read has its reason. */
import { join } from "node:path"
import type { Form } from "../chunk/Block.ts"
import { documentText, isDocument } from "../read/documentText.ts"
import type { PdfReader } from "../read/PdfReader.ts"
import { readStart } from "../read/readStart.ts"
import { textOf } from "../read/textOf.ts"

export interface ReadDocument {
  readonly text: string
  readonly form: Form
  /** Whether the format has pages. */
  readonly isPaged: boolean
  /** Why there is no text. */
  readonly problem?: string
  /** Which part of it was left out. */
  readonly cut?: string
  /** Whether the next sync may read it, though it is the same. */
  readonly passing?: boolean
}

/** Bytes of a text file that are read. */
const MAX_BYTES = 4 * 1024 * 1024

/** Characters of an office document or a PDF. */
const MAX_CHARACTERS = 4 * 1024 * 1024

const MEGABYTES = `only its first ${MAX_BYTES / 1024 / 1024} MB are read`

export const readDocument = async (
  root: string,
  path: string,
  pdfs: PdfReader,
  signal: AbortSignal,
): Promise<ReadDocument> => {
  const full = join(root, path)
  if (/\.pdf$/i.test(path)) return readPdf(full, pdfs, signal)
  try {
    return isDocument(path) ? await readOffice(full) : await readText(full)
  } catch (error) {
    const { code = "unknown" } = error as NodeJS.ErrnoException
    return { ...unread(`it cannot be opened (${code})`), passing: true }
  }
}

const unread = (problem: string): ReadDocument => ({
  text: "",
  form: "plain",
  isPaged: false,
  problem,
})

const readText = async (path: string): Promise<ReadDocument> => {
  if (/\.x?html?$/i.test(path)) return unread("HTML is not read")
  const excerpt = await readStart(path, MAX_BYTES)
  if (excerpt === undefined) return { ...unread("it cannot be opened"), passing: true }
  const text = textOf(excerpt.bytes)
  if (text === undefined) return unread("it is not text")
  const form = /\.(?:md|markdown)$/i.test(path)
    ? "markdown"
    : /\.[ct]sv$/i.test(path)
      ? "table"
      : "plain"
  return { text, form, isPaged: false, ...(excerpt.whole ? {} : { cut: MEGABYTES }) }
}

const readOffice = async (path: string): Promise<ReadDocument> => {
  const text = await documentText(path, MAX_CHARACTERS)
  if (text === "") return unread("it has no text, is damaged, or is larger than 4 MB")
  return {
    text,
    form: "plain",
    isPaged: false,
    ...(text.length < MAX_CHARACTERS ? {} : { cut: `only ${MAX_CHARACTERS} characters are read` }),
  }
}

const readPdf = async (
  path: string,
  pdfs: PdfReader,
  signal: AbortSignal,
): Promise<ReadDocument> => {
  const { cut, passing, unread: why, words } = await pdfs.read(path, MAX_CHARACTERS, signal)
  if (why !== undefined) return { ...unread(why), ...(passing === true && { passing }) }
  return { text: words, form: "plain", isPaged: true, ...(cut !== undefined && { cut }) }
}
