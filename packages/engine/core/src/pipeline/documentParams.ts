/** What the params of documents read, where expressions read the documents. */
import { usedBy, type CompiledValue } from "@planloom/expression"
import type { Pipeline } from "./Pipeline.ts"

type References = CompiledValue["references"]

export const documentParams = (
  { documents }: Pick<Pipeline, "documents">,
  references: References,
): References => {
  if (documents.size === 0) return []
  const read = usedBy(references, "documents")
  return [...documents].flatMap(([name, { params }]) =>
    read === "all" || read.has(name) ? params.references : [],
  )
}
