/** A photo in a result, and the day it counts for. */
import type { JsonObject } from "@planloom/plugin/effect"
import type { Entry } from "../library/EntryReader.ts"
import { dayOf } from "./fileFilter.ts"

/** The camera's day; the file's own where the camera said nothing. */
export const photoDay = ({ modified, photo }: Entry): string =>
  photo?.taken?.slice(0, 10) ?? dayOf(modified)

export const photoResult = (entry: Entry): JsonObject => {
  const { path, photo, text } = entry
  return {
    path,
    taken: photo?.taken ?? null,
    ...(photo?.camera === undefined ? {} : { camera: photo.camera }),
    ...(photo?.place === undefined ? {} : { place: { ...photo.place } }),
    caption: text.trim().slice(0, 200),
  }
}
