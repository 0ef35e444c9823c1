/** The tool source: lists the tools of one folder and runs them. */
import type { Context } from "effect/Context"
import * as Effect from "effect/Effect"
import {
  ModelFailed,
  StageFailed,
  ToolFailed,
  type ToolResult,
  type ToolSource,
} from "@planloom/plugin/effect"
import type { FileTool } from "./FileTool.ts"
import { FilesFailed } from "./FilesFailed.ts"
import { Folder } from "./folder/Folder.ts"
import { KeptFiles } from "./folder/KeptFiles.ts"
import { Library } from "./library/Library.ts"
import { read_document } from "./tools/read_document.ts"
import { search_files_by_type } from "./tools/search_files_by_type.ts"
import { search_files_recent } from "./tools/search_files_recent.ts"
import { search_files_semantic } from "./tools/search_files_semantic.ts"
import { search_photos_by_date } from "./tools/search_photos_by_date.ts"
import { search_photos_semantic } from "./tools/search_photos_semantic.ts"

export interface FileToolsOptions {
  /** The folder that is searched. */
  readonly root: string
  /** Paths from the root that are left out; none unless given. */
  readonly exclude?: ReadonlyArray<string>
  /** Folder for the words of PDFs; nothing is kept unless given. */
  readonly cache?: string
  /** Files looked at in one search. */
  readonly files?: number
  /** Bytes read of each file. */
  readonly bytes?: number
}

const MAX_FILES = 20_000
const MAX_FILE_BYTES = 8192

const tools: ReadonlyArray<FileTool> = [
  search_files_semantic,
  search_files_recent,
  search_files_by_type,
  search_photos_semantic,
  search_photos_by_date,
  read_document,
]

const byName = new Map(tools.map((tool) => [tool.tool.name, tool]))

/** What is known of the tools before a folder is opened. */
export const listedTools = tools.map(({ tool }) => tool)

/** Fails with `FilesFailed` unless the root is a folder. */
export const fileTools = async (options: FileToolsOptions): Promise<ToolSource> => {
  const { bytes = MAX_FILE_BYTES, cache, exclude = [], files = MAX_FILES, root } = options
  const folder = await Folder.open(root)
  const kept = cache === undefined ? undefined : new KeptFiles(cache)
  return sourceOf(new Library(folder, { files, bytes }, { exclude, kept }))
}

/** The tools on one library. Its indexes are built by the first call that searches. */
export const sourceOf = (library: Library): ToolSource => ({
  id: "files",
  summary: "Searches the files of one folder.",
  list: Effect.succeed({ tools: listedTools }),
  call: ({ index, params, tool }) => {
    const found = byName.get(tool)
    if (found === undefined)
      return Effect.fail(
        new ToolFailed({ tool, class: "invalid_request", message: `there is no tool ${tool}` }),
      )
    return Effect.contextWith((services: Context<never>) =>
      Effect.tryPromise({
        try: async (signal): Promise<ToolResult> => ({
          value: await found.run(params, library, {
            index,
            signal,
            run: (work) => Effect.runPromiseWith(services)(work, { signal }),
          }),
        }),
        catch: (error) => error,
      }),
    ).pipe(
      Effect.catch((error) =>
        isExpected(error)
          ? Effect.fail(new ToolFailed({ tool, class: error.class, message: error.message }))
          : Effect.die(error),
      ),
    )
  },
})

/** Failures of the files, and of the index that searches them. */
const isExpected = (error: unknown): error is FilesFailed | ModelFailed | StageFailed =>
  error instanceof FilesFailed || error instanceof ModelFailed || error instanceof StageFailed
