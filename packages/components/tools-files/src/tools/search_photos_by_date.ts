/** Lists the photos of a day or of several. */
import { listed, type FileTool } from "../FileTool.ts"
import { within } from "./fileFilter.ts"
import { from, limit, to } from "./params.ts"
import { photoDay, photoResult } from "./photoResult.ts"
import { datedPhotos } from "./results.ts"
import { counted, enumerated, qualified } from "./sentences.ts"

export const search_photos_by_date: FileTool = {
  tool: listed(
    "search_photos_by_date",
    "Lists the photos taken on a day or between two days.",
    "photo_search",
    { from, to, limit },
    ["from"],
    datedPhotos,
  ),
  run: async (params, library, call) => {
    await library.refresh(call)
    const days = { from: params["from"]!, to: params["to"] ?? params["from"]! }
    const found = library
      .all()
      .filter((entry) => entry.photo !== undefined && within(photoDay(entry), days))
      .toSorted((a, b) => (photoDay(a) + a.path < photoDay(b) + b.path ? -1 : 1))
    const photos = found.slice(0, Number(params["limit"] ?? 10))
    const when =
      days.from === days.to
        ? `from ${String(days.from)}`
        : `between ${String(days.from)} and ${String(days.to)}`
    return {
      text: qualified(
        photos.length === 0
          ? `No photo is ${when}.`
          : `${counted(found.length, "photo")} ${when}: ${enumerated(
              photos.map(({ path }) => path),
              found.length,
            )}.`,
        library,
      ),
      photos: photos.map(photoResult),
      total: found.length,
      complete: !library.left,
    }
  },
}
