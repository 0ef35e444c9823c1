/** Files that a call leaves in the folder of its run. */
import { hash } from "node:crypto"
import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"

export interface KeptFile {
  readonly [key: string]: string | number
  readonly file: string
  readonly bytes: number
}

/** Of all files of one call. */
const MAX_BYTES = 200_000_000

export class RunFiles {
  private readonly workspace: string
  private bytes = 0

  /** `workspace` is the folder of the run. */
  constructor(workspace: string) {
    this.workspace = workspace
  }

  /** Equal contents are one file, so that a repeated call leaves nothing more. Rejects above the limit for a call. */
  async keep(contents: Buffer, mime = ""): Promise<KeptFile> {
    this.bytes += contents.length
    if (this.bytes > MAX_BYTES) throw new RangeError(`a result has more than ${MAX_BYTES} bytes`)
    const folder = join(this.workspace, "mcp")
    await mkdir(folder, { recursive: true })
    const file = join(folder, `${hash("sha256", contents).slice(0, 20)}${extensions[mime] ?? ""}`)
    await writeFile(file, contents)
    return { file, bytes: contents.length }
  }
}

const extensions: { readonly [mime: string]: string } = {
  "image/png": ".png",
  "image/jpeg": ".jpg",
  "image/gif": ".gif",
  "image/webp": ".webp",
  "image/svg+xml": ".svg",
  "audio/wav": ".wav",
  "audio/mpeg": ".mp3",
  "audio/ogg": ".ogg",
  "application/pdf": ".pdf",
  "application/json": ".json",
  "text/plain": ".txt",
  "text/html": ".html",
  "text/csv": ".csv",
}
