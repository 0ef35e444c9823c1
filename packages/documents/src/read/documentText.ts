/** Words of office documents, for searches that need no structure. */
import { decoded } from "./office/xmlPieces.ts"
import { readStart } from "./readStart.ts"

/** Larger documents are found by their names alone. */
const LARGEST = 4 * 1024 * 1024

/** Text first, then the title and the keywords. */
const parts =
  /^(?:word\/document\.xml|xl\/sharedStrings\.xml|ppt\/slides\/slide\d+\.xml|content\.xml|docProps\/core\.xml|meta\.xml)$/

/** Whether a file's words are packed as office documents pack them. */
export const isDocument = (path: string): boolean => /\.(?:docx|xlsx|pptx|odt|ods|odp)$/i.test(path)

/** Empty for other files, and for those that are too large. Links are not followed. */
export const documentText = async (path: string, limit: number): Promise<string> => {
  const excerpt = await readStart(path, LARGEST)
  if (excerpt?.whole !== true) return ""
  const { zipEntries } = await import("./zipEntries.ts")
  const found = zipEntries(Buffer.from(excerpt.bytes), (name) => parts.test(name))
  // Title and keywords come first: little of a long text is kept.
  const texts = [...(found ?? [])]
    .toSorted(([a], [b]) => Number(/core|meta/.test(b)) - Number(/core|meta/.test(a)))
    .map(([, part]) => wordsOfXml(part.toString("utf8")))
  return texts.join(" ").replace(/\s+/g, " ").trim().slice(0, limit)
}

/** A run of letters may be cut by tags, a paragraph may not. */
const wordsOfXml = (xml: string): string =>
  decoded(
    xml
      .replace(
        /<\/(?:w:p|a:p|si|text:p|text:h|dc:\w+|cp:\w+|meta:\w+)>|<(?:w:tab|w:br)[^<>]*>/g,
        " ",
      )
      .replace(/<[^<>]*>/g, ""),
  )
