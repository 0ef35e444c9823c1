/** Text files that describe the file beside them: `a.jpg.txt`, or `a.txt` beside `a.jpg`. */
import type { FoundFile } from "@planloom/documents/read"
import { typeOf } from "./FileType.ts"

const captioned: ReadonlySet<string> = new Set(["image", "pdf", "audio", "video"])

/** Path of the file → path of its caption. */
export const captionsIn = (files: ReadonlyMap<string, FoundFile>): ReadonlyMap<string, string> => {
  const captions = new Map<string, string>()
  for (const path of files.keys()) {
    if (!captioned.has(typeOf(path))) continue
    const beside = [`${path}.txt`, path.replace(/\.[^./]+$/, ".txt")].find((one) => files.has(one))
    if (beside !== undefined) captions.set(path, beside)
  }
  return captions
}
