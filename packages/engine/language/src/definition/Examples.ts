/** The content of a file of examples: inputs of the workflow, and the expected output of one stage. */
import type { Json, JsonObject } from "@planloom/plugin/effect"
import type { Document } from "../source/Document.ts"
import type { Past } from "./Past.ts"

export interface Example {
  /** The conversation before it. */
  readonly session: Past | undefined
  /** Inputs of the workflow; those with a default may be left out. */
  readonly inputs: JsonObject
  /** What the stage should give: what a model is shown. */
  readonly output: Json
  /** The part of the output that a test holds the stage to; all of it when undefined. */
  readonly expect: Json | undefined
}

/** A file of examples, and where each of them stands in it. */
export interface ExamplesFile {
  readonly document: Document
  readonly examples: ReadonlyArray<Example>
}
