/** Lists the files that changed last. */
import { listed, type FileTool } from "../FileTool.ts"
import { dayOf, fileResult, fitting, within } from "./fileFilter.ts"
import { fileType, folder, from, limit, to } from "./params.ts"
import { recentFiles } from "./results.ts"
import { counted, enumerated, qualified } from "./sentences.ts"

export const search_files_recent: FileTool = {
  tool: listed(
    "search_files_recent",
    "Lists the files that changed last, newest first.",
    "file_search",
    { type: fileType, folder, from, to, limit },
    [],
    recentFiles,
  ),
  run: async (params, library, call) => {
    await library.refresh(call)
    const fit = await fitting(library.all(), params, library)
    const files = fit
      .filter(({ modified }) => within(dayOf(modified), params))
      .toSorted((a, b) => b.modified - a.modified || (a.path < b.path ? -1 : 1))
      .slice(0, Number(params["limit"] ?? 5))
    return {
      text: qualified(
        files.length === 0
          ? "No file changed then."
          : `The ${counted(files.length, "file")} changed last: ${enumerated(files.map(({ path }) => path))}.`,
        library,
      ),
      files: files.map(fileResult),
      complete: !library.left,
    }
  },
}
