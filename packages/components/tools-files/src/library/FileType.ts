/** Kinds of files by their everyday names, and their endings. */

/** Endings by the name a planner uses. */
export const endings = {
  pdf: ["pdf"],
  document: ["doc", "docx", "odt", "rtf", "pages"],
  spreadsheet: ["csv", "tsv", "xls", "xlsx", "ods", "numbers"],
  presentation: ["ppt", "pptx", "odp", "key"],
  text: ["txt", "log"],
  markdown: ["md", "markdown"],
  image: ["jpg", "jpeg", "png", "gif", "webp", "heic", "tif", "tiff", "svg"],
  audio: ["mp3", "wav", "ogg", "m4a", "flac", "opus"],
  video: ["mp4", "mov", "mkv", "webm", "avi"],
  archive: ["zip", "gz", "tar", "7z"],
  data: ["json", "xml", "yaml", "yml", "ics", "vcf"],
} as const

export type FileType = keyof typeof endings

export const fileTypes = Object.keys(endings) as ReadonlyArray<FileType>

const byEnding: ReadonlyMap<string, FileType> = new Map(
  fileTypes.flatMap((type) => endings[type].map((ending) => [ending, type] as const)),
)

export const typeOf = (path: string): FileType | "other" =>
  byEnding.get(/\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? "") ?? "other"
