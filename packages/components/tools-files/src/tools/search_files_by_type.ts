/** Lists the files of one kind. */
import { listed, type FileTool } from "../FileTool.ts"
import { fileResult, fitting } from "./fileFilter.ts"
import { fileType, folder, limit } from "./params.ts"
import { typedFiles } from "./results.ts"
import { counted, enumerated, qualified } from "./sentences.ts"

export const search_files_by_type: FileTool = {
  tool: listed(
    "search_files_by_type",
    "Lists the files of one kind, such as PDFs or spreadsheets.",
    "file_search",
    { type: fileType, folder, limit },
    ["type"],
    typedFiles,
  ),
  run: async (params, library, call) => {
    await library.refresh(call)
    const fit = await fitting(library.all(), params, library)
    const sorted = fit.toSorted((a, b) => (a.path < b.path ? -1 : 1))
    const files = sorted.slice(0, Number(params["limit"] ?? 10))
    const what = `${String(params["type"])} file`
    return {
      text: qualified(
        files.length === 0
          ? `There is no ${what}.`
          : `${counted(sorted.length, what)}: ${enumerated(
              files.map(({ path }) => path),
              sorted.length,
            )}.`,
        library,
      ),
      files: files.map(fileResult),
      total: sorted.length,
      complete: !library.left,
    }
  },
}
