/** A catalog of a given size out of a smaller or larger one. */
import type { IndexDocument } from "@planloom/plugin/effect"

/** Between a document's id and the number of its copy; in no id of the sets. */
const COPY = "\u0000"

/** The document that an id, perhaps a copy's, goes back to. */
export const original = (id: string): string => id.split(COPY, 1)[0] ?? id

/** Evenly spread documents where there are more, copies under other ids where there are fewer. */
export const resize = (
  documents: ReadonlyArray<IndexDocument>,
  size: number,
): ReadonlyArray<IndexDocument> =>
  Array.from({ length: size }, (_, at) => {
    if (size <= documents.length)
      return documents[Math.floor((at * documents.length) / size)] as IndexDocument
    const document = documents[at % documents.length] as IndexDocument
    const copy = Math.floor(at / documents.length)
    return copy === 0 ? document : { ...document, id: `${document.id}${COPY}${copy}` }
  })
