/** The change of a hook as a JSON Patch. */
import * as JsonPatch from "effect/JsonPatch"
import type { JsonPatch as Patch } from "@planloom/plugin/effect"
import type { Draft } from "./HookSite.ts"
import type { PatchRead } from "./readPatch.ts"

/** Of the changed fields alone; a member without a value is the same as none. */
export const jsonPatchOf = (before: Draft, { changed, draft }: PatchRead): Patch =>
  JsonPatch.get(fieldsOf(before, changed), fieldsOf(draft, changed))

const fieldsOf = (draft: Draft, fields: ReadonlyArray<string>): Draft =>
  JSON.parse(
    JSON.stringify(Object.fromEntries(fields.map((field) => [field, draft[field]]))),
  ) as Draft
