/** Finds files by what they are about: their names, folders and contents. */
import type { JsonObject } from "@planloom/plugin/effect"
import { nearestPassages } from "../library/nearestPassages.ts"
import type { Entry } from "../library/EntryReader.ts"
import { listed, type FileTool } from "../FileTool.ts"
import { fileResult, fitting } from "./fileFilter.ts"
import { fileType, folder, limit, order, query } from "./params.ts"
import { foundFiles } from "./results.ts"
import { counted, enumerated, qualified, unreadOf } from "./sentences.ts"

/** As many as are looked at where they are sorted by time: what is farther is about something else. */
const NEAREST = 5

const inOrder = (files: ReadonlyArray<Entry>, { order: sorted }: JsonObject) => {
  if (sorted !== "newest" && sorted !== "oldest") return files
  const sign = sorted === "newest" ? -1 : 1
  return files
    .slice(0, NEAREST)
    .toSorted((a, b) => sign * (a.modified - b.modified) || (a.path < b.path ? -1 : 1))
}

const orderText = ({ order: sorted }: JsonObject): string =>
  sorted === "newest" || sorted === "oldest" ? `, ${sorted} first` : ""

/** What the user should know it was narrowed to. */
const kindOf = ({ type }: JsonObject): string => (typeof type === "string" ? `${type} ` : "")

export const search_files_semantic: FileTool = {
  tool: listed(
    "search_files_semantic",
    "Finds files by what they are about, in their names and contents.",
    "file_search",
    { query, type: fileType, folder, order, limit },
    ["query"],
    foundFiles,
  ),
  run: async (params, library, call) => {
    await library.refresh(call)
    const near = await library.nearest(String(params["query"]), "files", 100, call)
    const fit = await fitting(near, params, library)
    const files = inOrder(fit, params).slice(0, Number(params["limit"] ?? 5))
    const passages = await nearestPassages(files, String(params["query"]), call)
    const fits = (path: string) => passages.find((one) => one["path"] === path)?.["text"]
    const all = library.all()
    const found =
      files.length === 0
        ? `No ${kindOf(params)}file is about ${String(params["query"])}.`
        : `The nearest ${counted(files.length, "file")} for "${String(params["query"])}"${orderText(params)}: ${enumerated(files.map(({ path }) => path))}.`
    return {
      text: qualified(
        `${found} ${unreadOf(files, await fitting(all, params, library))}`.trim(),
        library,
      ),
      files: files.map((entry) => ({
        ...fileResult(entry),
        excerpt: fits(entry.path) ?? entry.text.slice(0, 200),
        ...(entry.unread === undefined ? {} : { unread: entry.unread }),
      })),
      passages,
      complete: !library.left && !all.some(({ passing }) => passing === true),
    }
  },
}
