/** Words of office documents, and what a PDF says of itself in its title, subject and keywords. */
import { open } from "node:fs/promises"
import { constants } from "node:fs"

/** Larger documents are found by their names alone. */
const LARGEST = 4 * 1024 * 1024

/** Where a PDF keeps what it says of itself: near its beginning or its end. */
const AROUND = 64 * 1024

/** Text first, then the title and the keywords. */
const parts =
  /^(?:word\/document\.xml|xl\/sharedStrings\.xml|ppt\/slides\/slide\d+\.xml|content\.xml|docProps\/core\.xml|meta\.xml)$/

const office = /\.(?:docx|xlsx|pptx|odt|ods|odp)$/i

/** Whether a file's words are packed, so that its bytes tell nothing. */
export const isDocument = (path: string): boolean => office.test(path) || /\.pdf$/i.test(path)

/** Empty for what is no such document, or is too large. Links are not followed. */
export const documentText = async (path: string, limit: number): Promise<string> => {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    const stats = await file.stat()
    if (!stats.isFile()) return ""
    const read = async (from: number, length: number) => {
      const bytes = Buffer.alloc(Math.max(0, Math.min(length, stats.size - from)))
      const { bytesRead } = await file.read(bytes, 0, bytes.length, from)
      return bytes.subarray(0, bytesRead)
    }
    if (!office.test(path)) {
      const end = Math.max(AROUND, stats.size - AROUND)
      return aboutPdf(Buffer.concat([await read(0, AROUND), await read(end, AROUND)]))
    }
    if (stats.size > LARGEST) return ""
    const { zipEntries } = await import("./zipEntries.ts")
    const found = zipEntries(await read(0, stats.size), (name) => parts.test(name))
    // What the document says of itself stands in front: little of a long text is kept.
    const texts = [...(found ?? [])]
      .toSorted(([a], [b]) => Number(/core|meta/.test(b)) - Number(/core|meta/.test(a)))
      .map(([, part]) => wordsOfXml(part.toString("utf8")))
    return texts.join(" ").replace(/\s+/g, " ").trim().slice(0, limit)
  } finally {
    await file.close()
  }
}

const entities: { readonly [name: string]: string } = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
}

/** A run of letters may be cut by tags, a paragraph may not. */
const wordsOfXml = (xml: string): string =>
  xml
    .replace(/<\/(?:w:p|a:p|si|text:p|text:h|dc:\w+|cp:\w+|meta:\w+)>|<(?:w:tab|w:br)[^<>]*>/g, " ")
    .replace(/<[^<>]*>/g, "")
    .replace(/&(amp|lt|gt|quot|apos);/g, (_, name: string) => entities[name]!)

/** ISO 32000-1, 14.3.3: the document information dictionary, where it is neither packed nor encrypted. */
const aboutPdf = (bytes: Buffer): string => {
  const text = bytes.toString("latin1")
  if (/\/Encrypt\b/.test(text)) return ""
  const field =
    /\/(?:Title|Subject|Keywords|Author)\s*(?:\(((?:\\[^]|[^\\()]){0,500})\)|<([0-9a-fA-F\s]{0,2000})>)/g
  const found = new Set<string>()
  for (const [, literal, hex] of text.matchAll(field)) {
    const raw =
      literal === undefined
        ? Buffer.from(hex!.replace(/\s/g, ""), "hex")
        : Buffer.from(unescaped(literal), "latin1")
    found.add(
      raw[0] === 0xfe && raw[1] === 0xff
        ? Buffer.from(raw.subarray(2, raw.length - (raw.length % 2)))
            .swap16()
            .toString("utf16le")
        : raw.toString("latin1"),
    )
  }
  return [...found].join(" ").replace(/\s+/g, " ").trim()
}

const unescaped = (literal: string): string =>
  literal.replace(/\\(?:([0-7]{1,3})|([^]))/g, (_, octal: string | undefined, one: string) =>
    octal === undefined
      ? (({ n: "\n", r: "\r", t: "\t", "\n": "" } as Record<string, string>)[one] ?? one)
      : String.fromCharCode(Number.parseInt(octal, 8) & 255),
  )
