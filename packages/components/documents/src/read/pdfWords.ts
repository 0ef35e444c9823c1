/** The words of a PDF's first pages, with its title, subject, keywords and author. */
import { getDocumentProxy } from "unpdf"
import type { PdfQuestion, ThreadText } from "./ReaderThread.ts"

/** In front of the words: little of a long text is kept. */
const fields = ["Title", "Subject", "Keywords", "Author"] as const

type Document = Awaited<ReturnType<typeof getDocumentProxy>>

/** No font, program or address in the file is used, and errors of single objects do not end it. */
const settings = {
  verbosity: 0,
  disableFontFace: true,
  useSystemFonts: false,
  useWorkerFetch: false,
  enableXfa: false,
  stopAtErrors: false,
} as const

/** At most `limit` characters of so many pages. `bytes` are used up. */
export const pdfWords = async ({ bytes, limit, pages: most }: PdfQuestion): Promise<ThreadText> => {
  let document: Document
  try {
    document = await getDocumentProxy(bytes, settings)
  } catch (error) {
    const encrypted = error instanceof Error && error.name === "PasswordException"
    return { about: "", words: "", unread: encrypted ? "it is encrypted" : "it is damaged" }
  }
  const about = await aboutOf(document)
  const texts: Array<string> = []
  const blank: Array<number> = []
  let length = 0
  let faults = 0
  const pages = Math.min(document.numPages, most)
  for (let page = 1; page <= pages && length < limit; page++) {
    const words = await pageWords(document, page, limit - length).catch(() => {
      faults++
      return ""
    })
    if (!/[\p{L}\p{N}]/u.test(words)) blank.push(page)
    texts.push(unbroken(words))
    length += words.length
  }
  await document.loadingTask.destroy()
  if (blank.length < texts.length) {
    const cut = cutText(texts.length, document.numPages, blank)
    return { about, words: texts.join("\f").slice(0, limit), ...(cut !== "" && { cut }) }
  }
  const unread = faults === pages ? "it is damaged" : "it holds no text, perhaps only scans"
  return { about, words: "", unread }
}

/** Pages that are named by number, at most. */
const NAMED_PAGES = 20

const cutText = (read: number, all: number, blank: ReadonlyArray<number>): string => {
  const named = blank.slice(0, NAMED_PAGES).join(", ")
  const more = blank.length > NAMED_PAGES ? ` and ${blank.length - NAMED_PAGES} more` : ""
  return [
    ...(read < all ? [`only ${read} of ${all} pages are read`] : []),
    ...(blank.length > 0 ? [`no text on page ${named}${more}`] : []),
  ].join("; ")
}

const aboutOf = async (document: Document): Promise<string> => {
  const { info } = await document.getMetadata().catch(() => ({ info: {} }))
  const said = info as { readonly [field: string]: unknown }
  const texts = fields.map((field) => said[field]).filter((one) => typeof one === "string")
  return texts.join(" ").replace(/\s+/g, " ").trim().slice(0, 1000)
}

/** Read piece by piece: a page may hold far more than is wanted of it. */
const pageWords = async (document: Document, page: number, limit: number): Promise<string> => {
  const reader = (await document.getPage(page)).streamTextContent().getReader()
  let words = ""
  while (words.length < limit) {
    const { done, value } = await reader.read()
    if (done) return `${words}\n`
    for (const item of value.items) if ("str" in item) words += item.str + (item.hasEOL ? "\n" : "")
  }
  await reader.cancel(new Error("enough"))
  return words
}

/** A word that is divided at the end of a line is whole again. */
const unbroken = (words: string): string =>
  words
    .replace(/(\p{L})[-\u00AD]\n(?=\p{Ll})/gu, "$1")
    .replace(/\s+/g, " ")
    .trim()
