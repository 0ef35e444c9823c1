/** Converts SQLite and file system errors to store failures with a message and a fix. */
import { StoreFailed } from "@planloom/plugin/effect"

type Reason = StoreFailed["reason"]

/** Primary result codes, https://sqlite.org/rescode.html. */
const reasons: { readonly [code: number]: Reason } = {
  5: "locked",
  6: "locked",
  8: "read_only",
  11: "corrupt",
  13: "full",
  14: "read_only",
  26: "corrupt",
}

/** Extended result code for a full disk without space for the index of the log. */
const SQLITE_IOERR_SHMSIZE = 4874

const messages: { readonly [reason in Reason]: (path: string) => string } = {
  locked: (path) => `another program holds ${path} locked; close it, then try again`,
  full: (path) =>
    `there is no space left to record in ${path}; what it holds is safe. Free some space`,
  read_only: (path) =>
    `${path} cannot be written; look at the permissions of the file and its folder`,
  corrupt: (path) =>
    `${path} is damaged or not a store of runs; it was not changed. Move it away, or restore a copy`,
  newer: (path) =>
    `${path} was written by a newer version of planloom; it was not changed. Update planloom`,
  fenced: (path) =>
    `another process has taken the run over in ${path}; this process records nothing more`,
  missing: (path) => `${path} has no run of this id`,
  exists: (path) => `${path} already has a run of this id`,
  busy: (path) => `another process is working on the run in ${path}; cancel it or wait for it`,
  unavailable: (path) => `${path} cannot be used`,
}

export const storeFailed = (reason: Reason, path: string, detail?: string): StoreFailed =>
  new StoreFailed({
    reason,
    message: messages[reason](path) + (detail === undefined ? "" : ` (${detail})`),
  })

/** Rethrows errors that are defects of the store. */
export const toStoreFailed = (error: unknown, path: string): StoreFailed => {
  if (error instanceof StoreFailed) return error
  const { code, errcode, message } = error as NodeJS.ErrnoException & { errcode?: number }
  if (errcode !== undefined) {
    // The low byte is the primary code.
    const reason = errcode === SQLITE_IOERR_SHMSIZE ? "full" : reasons[errcode & 0xff]
    return storeFailed(reason ?? "unavailable", path, reason === undefined ? message : undefined)
  }
  if (code === "EACCES" || code === "EROFS" || code === "EPERM")
    return storeFailed("read_only", path)
  if (code === "ENOSPC" || code === "EDQUOT") return storeFailed("full", path)
  if (code?.startsWith("E") === true && !code.startsWith("ERR_")) {
    return storeFailed("unavailable", path, message)
  }
  if (error instanceof SyntaxError) return storeFailed("corrupt", path)
  throw error
}
