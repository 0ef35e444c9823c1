/** A key of documents: the same for the same contents in the same order, on every machine. */
import { createHash } from "node:crypto"
import type { IndexDocument } from "@planloom/plugin/effect"

/** Digests of documents that were seen: most searches are over the documents of an earlier one. */
const digests = new WeakMap<IndexDocument, string>()

const digestOf = (document: IndexDocument): string => {
  let digest = digests.get(document)
  if (digest === undefined) {
    digest = createHash("sha256").update(JSON.stringify(document)).digest("base64")
    digests.set(document, digest)
  }
  return digest
}

export const contentKey = (documents: ReadonlyArray<IndexDocument>, rules: string): string => {
  const hash = createHash("sha256").update(rules)
  for (const document of documents) hash.update(digestOf(document))
  return hash.digest("hex").slice(0, 32)
}
