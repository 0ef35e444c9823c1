/** Finds photos by what is on them, as their captions and cameras say it. */
import { listed, type FileTool } from "../FileTool.ts"
import { within } from "./fileFilter.ts"
import { from, limit, query, to } from "./params.ts"
import { photoDay, photoResult } from "./photoResult.ts"
import { nearPhotos } from "./results.ts"
import { counted, enumerated, qualified } from "./sentences.ts"

export const search_photos_semantic: FileTool = {
  tool: listed(
    "search_photos_semantic",
    "Finds photos by what is on them.",
    "photo_search",
    { query, from, to, limit },
    ["query"],
    nearPhotos,
  ),
  run: async (params, library, call) => {
    await library.refresh(call)
    const near = await library.nearest(String(params["query"]), "photos", 100, call)
    const photos = near
      .filter((entry) => within(photoDay(entry), params))
      .slice(0, Number(params["limit"] ?? 5))
    return {
      text: qualified(
        photos.length === 0
          ? `No photo${params["from"] === undefined ? "" : " of that time"} shows ${String(params["query"])}.`
          : `The nearest ${counted(photos.length, "photo")} for "${String(params["query"])}": ${enumerated(photos.map(({ path }) => path))}.`,
        library,
      ),
      photos: photos.map(photoResult),
      complete: !library.left,
    }
  },
}
