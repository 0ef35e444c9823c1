/** Title, subject, keywords and author of a PDF that cannot be read as a whole. */
import { constants } from "node:fs"
import { open } from "node:fs/promises"

/** Bytes at the beginning and at the end, where a PDF keeps its information dictionary. */
const AROUND = 64 * 1024

/** Links are not followed. */
export const aboutPdf = async (path: string): Promise<string> => {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    const stats = await file.stat()
    if (!stats.isFile()) return ""
    const read = async (from: number) => {
      const bytes = Buffer.alloc(Math.max(0, Math.min(AROUND, stats.size - from)))
      const { bytesRead } = await file.read(bytes, 0, bytes.length, from)
      return bytes.subarray(0, bytesRead)
    }
    const end = Math.max(AROUND, stats.size - AROUND)
    return fieldsIn(Buffer.concat([await read(0), await read(end)]).toString("latin1"))
  } finally {
    await file.close()
  }
}

/** ISO 32000-1, 14.3.3: the document information dictionary, where it is neither packed nor encrypted. */
const fieldsIn = (text: string): string => {
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
