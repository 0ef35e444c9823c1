/** The text of an office document as Markdown, by its structure. */
import { Archive } from "./Archive.ts"
import { Unreadable } from "./Unreadable.ts"

export interface OfficeText {
  readonly text: string
  /** The reason for a missing text. */
  readonly unread?: string
}

const WORDS = /[\p{L}\p{N}]/u

/** `path` says the format by its ending. A broken document is a result, whatever it holds. */
export const officeText = async (path: string, bytes: Uint8Array): Promise<OfficeText> => {
  try {
    const text = (await outlineOf(path.toLowerCase(), bytes)).text()
    return WORDS.test(text) ? { text } : { text: "", unread: "it holds no text" }
  } catch (error) {
    if (error instanceof Unreadable) return { text: "", unread: error.message }
    throw error
  }
}

const outlineOf = async (path: string, bytes: Uint8Array) => {
  const archive = new Archive(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
  // Most threads read one format.
  if (path.endsWith(".docx")) return (await import("./docxOutline.ts")).docxOutline(archive)
  if (path.endsWith(".pptx")) return (await import("./pptxOutline.ts")).pptxOutline(archive)
  if (/\.(?:xlsx|ods)$/.test(path)) {
    const { sheetOutline } = await import("./sheetOutline.ts")
    return sheetOutline(archive, bytes, path.endsWith(".ods"))
  }
  return (await import("./odfOutline.ts")).odfOutline(archive)
}
