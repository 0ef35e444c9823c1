/** The text of an office document as Markdown, by its structure. */
import { aboutOffice } from "./aboutOffice.ts"
import { Archive } from "./Archive.ts"
import { Unreadable } from "./Unreadable.ts"

export interface OfficeText {
  /** Its title, subject, keywords and author. */
  readonly about: string
  readonly text: string
  /** The reason for a missing text. */
  readonly unread?: string
}

const WORDS = /[\p{L}\p{N}]/u

/** `path` says the format by its ending. A broken document is a result, whatever it holds. */
export const officeText = async (path: string, bytes: Uint8Array): Promise<OfficeText> => {
  let about = ""
  try {
    const archive = new Archive(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
    about = aboutOffice(archive)
    const text = (await outlineOf(path.toLowerCase(), archive, bytes)).text()
    return WORDS.test(text) ? { about, text } : { about, text: "", unread: "it holds no text" }
  } catch (error) {
    if (error instanceof Unreadable) return { about, text: "", unread: error.message }
    throw error
  }
}

const outlineOf = async (path: string, archive: Archive, bytes: Uint8Array) => {
  // Most threads read one format.
  if (path.endsWith(".docx")) return (await import("./docxOutline.ts")).docxOutline(archive)
  if (path.endsWith(".pptx")) return (await import("./pptxOutline.ts")).pptxOutline(archive)
  if (/\.(?:xlsx|ods)$/.test(path)) {
    const { sheetOutline } = await import("./sheetOutline.ts")
    return sheetOutline(archive, bytes, path.endsWith(".ods"))
  }
  return (await import("./odfOutline.ts")).odfOutline(archive)
}
