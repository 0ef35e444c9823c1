/** How a document is imported, and why it cannot be. */
import type { Skipped } from "./Spec.ts"

export interface ImportOptions {
  /** Name of the catalog; that of the document's title unless given. */
  readonly name?: string | undefined
  /** In place of the document's servers. */
  readonly baseUrl?: string | undefined
  /** URL of the document, if it has one. */
  readonly url?: string | undefined
  /** Tags, operation ids and names of tools; all operations unless given. */
  readonly include?: ReadonlyArray<string>
  /** Leaves out the schemas of answers. */
  readonly untyped?: boolean
  /** How the catalog names the document. */
  readonly source: string
}

/** The document cannot be imported at all. */
export class ImportRejected extends Error {
  readonly at: Skipped["path"]

  constructor(message: string, at: Skipped["path"] = []) {
    super(message)
    this.at = at
  }
}
