/** The entries a search is about: by type, folder and days. */
import type { JsonObject } from "@planloom/plugin/effect"
import type { Entry } from "../library/EntryReader.ts"
import type { Library } from "../library/Library.ts"

const two = (value: number): string => String(value).padStart(2, "0")

/** The local day of a moment in epoch milliseconds. */
export const dayOf = (moment: number): string => {
  const date = new Date(moment)
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

/** Whether a day lies within what was asked for; one day where only `from` is given. */
export const within = (day: string, { from, to }: JsonObject): boolean =>
  (typeof from !== "string" || day >= from) && (typeof to !== "string" || day <= to)

/**
 * Entries that fit `type` and `folder`. A folder is matched by its name anywhere, without regard to case;
 * a name that leads outside is refused.
 */
export const fitting = async (
  entries: ReadonlyArray<Entry>,
  params: JsonObject,
  library: Library,
): Promise<ReadonlyArray<Entry>> => {
  const { folder, type } = params
  const ofType = (one: Entry) => typeof type !== "string" || one.type === type
  if (typeof folder !== "string" || folder === "") return entries.filter(ofType)
  const wanted = folder.toLowerCase().replaceAll("\\", "/").replace(/\/+$/, "")
  const inside = ({ path }: Entry) => `/${path.toLowerCase()}`.includes(`/${wanted}/`)
  // A name of no known folder may be an attempt to leave: then this fails with the reason.
  if (!library.all().some(inside)) await library.folder.resolve(folder)
  return entries.filter((one) => inside(one) && ofType(one))
}

/** A file in a result. */
export const fileResult = ({ bytes, modified, path, type }: Entry): JsonObject => ({
  path,
  type,
  bytes,
  modified: new Date(modified).toISOString(),
})
