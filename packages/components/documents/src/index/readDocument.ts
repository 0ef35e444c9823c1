/** Reads one file of a folder into a text with its form; what could not be read has its reason. */
import { join } from "node:path"
import type { Form } from "../chunk/Block.ts"
import { isDocument } from "../read/isDocument.ts"
import type { ReaderThread, ThreadText } from "../read/ReaderThread.ts"
import { readStart } from "../read/readStart.ts"
import { textOf } from "../read/textOf.ts"

export interface ReadDocument {
  readonly text: string
  readonly form: Form
  /** Whether the format has pages. */
  readonly isPaged: boolean
  /** False if the lines of the text stand in no file. */
  readonly hasLines?: false
  /** The reason for a missing text. */
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

/** Bytes of an office document: its pictures are not read. */
const MAX_OFFICE_BYTES = 20 * 1024 * 1024

const MEGABYTES = `only its first ${MAX_BYTES / 1024 / 1024} MB are read`

export const readDocument = async (
  root: string,
  path: string,
  reader: ReaderThread,
  signal: AbortSignal,
): Promise<ReadDocument> => {
  const full = join(root, path)
  if (/\.pdf$/i.test(path)) return readPdf(full, reader, signal)
  try {
    if (/\.x?html?$/i.test(path)) return await readHtmlFile(full, reader, signal)
    return isDocument(path) ? await readOffice(path, full, reader, signal) : await readText(full)
  } catch (error) {
    const { code = "unknown" } = error as NodeJS.ErrnoException
    return { ...unread(`it cannot be opened (${code})`), passing: true }
  }
}

export const unread = (problem: string): ReadDocument => ({
  text: "",
  form: "plain",
  isPaged: false,
  problem,
})

const readText = async (path: string): Promise<ReadDocument> => {
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

/** Slides are pages. */
const PAGED = /\.(?:pptx|odp)$/i

const readOffice = async (
  name: string,
  path: string,
  reader: ReaderThread,
  signal: AbortSignal,
): Promise<ReadDocument> => {
  const excerpt = await readStart(path, MAX_OFFICE_BYTES)
  if (excerpt === undefined) return { ...unread("it cannot be opened"), passing: true }
  if (!excerpt.whole) return unread(`it is larger than ${MAX_OFFICE_BYTES / 1024 / 1024} MB`)
  const read = await reader.readOffice(name, excerpt.bytes, MAX_CHARACTERS, signal)
  if (read.unread !== undefined)
    return { ...unread(read.unread), ...(read.passing === true && { passing: true }) }
  return {
    text: read.words,
    form: "markdown",
    isPaged: PAGED.test(name),
    hasLines: false,
    ...(read.cut !== undefined && { cut: read.cut }),
  }
}

/** Bytes of an HTML page that are read: most of it is no text. */
const MAX_HTML_BYTES = 2 * 1024 * 1024

const readHtmlFile = async (
  path: string,
  reader: ReaderThread,
  signal: AbortSignal,
): Promise<ReadDocument> => {
  const excerpt = await readStart(path, MAX_HTML_BYTES)
  if (excerpt === undefined) return { ...unread("it cannot be opened"), passing: true }
  return readHtml(excerpt.bytes, excerpt.whole, reader, signal)
}

export const readHtml = async (
  bytes: Uint8Array,
  isWhole: boolean,
  reader: ReaderThread,
  signal: AbortSignal,
): Promise<ReadDocument> => {
  const html = textOf(bytes.subarray(0, MAX_HTML_BYTES))
  if (html === undefined) return unread("it is not text")
  const { cut, passing, unread: why, words } = await reader.readHtml(html, signal)
  if (why !== undefined) return { ...unread(why), ...(passing === true && { passing }) }
  const cuts = [
    ...(cut === undefined ? [] : [cut]),
    ...(isWhole && bytes.length <= MAX_HTML_BYTES ? [] : ["only its first 2 MB are read"]),
  ].join("; ")
  // Lines of the text are not those of the page.
  return {
    text: words,
    form: "markdown",
    isPaged: false,
    hasLines: false,
    ...(cuts !== "" && { cut: cuts }),
  }
}

const readPdf = async (
  path: string,
  reader: ReaderThread,
  signal: AbortSignal,
): Promise<ReadDocument> => {
  return pdfDocument(await reader.read(path, MAX_CHARACTERS, signal))
}

export const readPdfBytes = async (
  bytes: Uint8Array,
  reader: ReaderThread,
  signal: AbortSignal,
): Promise<ReadDocument> => pdfDocument(await reader.readBytes(bytes, MAX_CHARACTERS, signal))

const pdfDocument = ({ cut, passing, unread: why, words }: ThreadText): ReadDocument => {
  if (why !== undefined) return { ...unread(why), ...(passing === true && { passing }) }
  return { text: words, form: "plain", isPaged: true, ...(cut !== undefined && { cut }) }
}
