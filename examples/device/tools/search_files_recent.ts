/** Lists the files that changed last. */
import { listed, type DeviceTool } from "../DeviceTool.ts"
import { dayOf, fileResult, fitting, within } from "./fileFilter.ts"
import { fileType, folder, from, limit, to } from "./params.ts"
import { counted, enumerated, toldOf } from "./sentences.ts"

export const search_files_recent: DeviceTool = {
  tool: listed(
    "search_files_recent",
    "Lists the files that changed last, newest first.",
    "file_search",
    { type: fileType, folder, from, to, limit },
  ),
  run: async (params, device, signal) => {
    await device.library.refresh(signal)
    const fit = await fitting(device.library.all(), params, device)
    const files = fit
      .filter(({ modified }) => within(dayOf(modified), params))
      .toSorted((a, b) => b.modified - a.modified || (a.path < b.path ? -1 : 1))
      .slice(0, Number(params["limit"] ?? 5))
    return {
      text: toldOf(
        files.length === 0
          ? "No file changed then."
          : `The ${counted(files.length, "file")} changed last: ${enumerated(files.map(({ path }) => path))}.`,
        device.library,
      ),
      files: files.map(fileResult),
      complete: !device.library.left,
    }
  },
}
