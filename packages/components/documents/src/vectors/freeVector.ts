/** Takes the vector of a passage from it, before it is removed: the next sync removes the vector unless another passage has it. */
import type { DocumentFile } from "../index/DocumentFile.ts"

export const freeVector = (file: DocumentFile, chunk: number): void => {
  file.run(
    "INSERT OR IGNORE INTO freed (vector) SELECT vector FROM embedded WHERE chunk = ?",
    chunk,
  )
  file.run("DELETE FROM embedded WHERE chunk = ?", chunk)
}
