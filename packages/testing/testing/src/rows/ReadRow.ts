/** One row of a file of rows, or why it cannot be read. */
import type { Json } from "@planloom/plugin/effect"

export type ReadRow =
  | { readonly line: number; readonly value: Json; readonly problem?: undefined }
  /** After a problem with `last` nothing more can be read. */
  | { readonly line: number; readonly problem: string; readonly last?: true }
