/** The change of a hook as a JSON Patch. */
import type * as JsonPatch from "effect/JsonPatch"
import type { JsonPatch as Patch } from "@planloom/plugin/effect"
import { loadedOnce } from "@planloom/plugin/late"
import type { Draft } from "./HookSite.ts"
import type { PatchRead } from "./readPatch.ts"

/** Loaded with a workflow that has transforms. */
export const patchModule = loadedOnce(() => import("effect/JsonPatch"))

export type PatchModule = typeof JsonPatch

/** Of the changed fields alone; a member without a value is the same as none. */
export const jsonPatchOf = (
  { get }: PatchModule,
  before: Draft,
  { changed, draft }: PatchRead,
): Patch => get(fieldsOf(before, changed), fieldsOf(draft, changed))

const fieldsOf = (draft: Draft, fields: ReadonlyArray<string>): Draft =>
  JSON.parse(
    JSON.stringify(Object.fromEntries(fields.map((field) => [field, draft[field]]))),
  ) as Draft
