/** Reads PDFs, HTML pages and office documents one after the other in a thread that is stopped when a file takes too much of anything. */
import { once } from "node:events"
import { lstat } from "node:fs/promises"
import { extname } from "node:path"
import { Worker } from "node:worker_threads"
import { aboutPdf } from "./aboutPdf.ts"
import { isDocument } from "./isDocument.ts"
import { readStart } from "./readStart.ts"

export interface PdfQuestion {
  readonly bytes: Uint8Array
  /** Characters. */
  readonly limit: number
  /** Pages. */
  readonly pages: number
}

/** A page of HTML, whose content is wanted as Markdown. */
export interface HtmlQuestion {
  readonly html: string
}

/** An office document, whose content is wanted as Markdown. */
export interface OfficeQuestion {
  readonly office: Uint8Array
  /** Its name, which says its format. */
  readonly path: string
  /** Characters. */
  readonly limit: number
}

type Asked = PdfQuestion | HtmlQuestion | OfficeQuestion

export interface ThreadText {
  /** Its title, subject, keywords and author. */
  readonly about: string
  /** Pages are separated by form feeds. */
  readonly words: string
  /** Which pages are left out of the words. */
  readonly cut?: string
  /** Why the words are not there: "it is encrypted". */
  readonly unread?: string
  /** Whether the next search may read it, though the file is the same. */
  readonly passing?: boolean
}

export interface ReaderLimits {
  /** Larger files are not read. */
  readonly bytes: number
  /** Milliseconds for one file. */
  readonly file: number
  /** Milliseconds for all files of one search; the others are left for the next. */
  readonly search: number
  /** Bytes of memory for one file. */
  readonly memory: number
  /** Pages of one file that are read. */
  readonly pages: number
}

export const readerLimits: ReaderLimits = {
  bytes: 20 * 1024 * 1024,
  file: 10_000,
  search: 30_000,
  memory: 512 * 1024 * 1024,
  // What a document is about stands on its first pages.
  pages: 30,
}

/** Milliseconds between two looks at how much memory the thread has taken. */
const LOOK = 50

const unread = (why: string): ThreadText => ({ about: "", words: "", unread: why })

const notNow = (why: string): ThreadText => ({ ...unread(why), passing: true })

export class ReaderThread {
  private readonly limits: ReaderLimits
  private worker: Promise<Worker> | undefined
  private last: Promise<unknown> = Promise.resolve()
  private spent = 0

  constructor(limits: ReaderLimits) {
    this.limits = limits
  }

  /** A PDF or an office document inside the folder, by its whole path; links are not followed. `limit` is in characters. */
  read(path: string, limit: number, signal: AbortSignal): Promise<ThreadText> {
    const turn = this.last.then(async () => {
      const text = await this.readNow(path, limit, signal)
      return text.unread === undefined || text.about !== "" || isDocument(path)
        ? text
        : { ...text, about: await aboutPdf(path).catch(() => "") }
    })
    this.last = turn.catch(() => undefined)
    return turn
  }

  /** A PDF that is no file. Its bytes are used up. */
  readBytes(bytes: Uint8Array, limit: number, signal: AbortSignal): Promise<ThreadText> {
    return this.inTurn({ bytes, limit, pages: this.limits.pages }, signal)
  }

  /** The content of an HTML page; its words are Markdown. */
  readHtml(html: string, signal: AbortSignal): Promise<ThreadText> {
    return this.inTurn({ html }, signal)
  }

  /** An office document; its words are Markdown. Its bytes are used up. */
  readOffice(
    path: string,
    office: Uint8Array,
    limit: number,
    signal: AbortSignal,
  ): Promise<ThreadText> {
    return this.inTurn({ office, path, limit }, signal)
  }

  /** Ends the thread, when no file is being read. The next file starts another. */
  async close(): Promise<void> {
    await this.last
    this.spent = 0
    await this.stop()
  }

  private async readNow(path: string, limit: number, signal: AbortSignal): Promise<ThreadText> {
    signal.throwIfAborted()
    if (this.spent >= this.limits.search) return notNow("its turn has not come yet")
    const { bytes: most } = this.limits
    const size = (await lstat(path).catch(() => undefined))?.size ?? 0
    const excerpt = size > most ? undefined : await readStart(path, most).catch(() => undefined)
    if (excerpt?.whole === false || size > most)
      return unread(`it is larger than ${Math.floor(most / 1024 / 1024)} MB`)
    if (excerpt === undefined) return notNow("it cannot be opened")
    const { bytes } = excerpt
    return this.answer(
      isDocument(path)
        ? { office: bytes, path, limit }
        : { bytes, limit, pages: this.limits.pages },
      signal,
    )
  }

  private inTurn(question: Asked, signal: AbortSignal): Promise<ThreadText> {
    const turn = this.last.then(() => this.answer(question, signal))
    this.last = turn.catch(() => undefined)
    return turn
  }

  private async answer(question: Asked, signal: AbortSignal): Promise<ThreadText> {
    this.worker ??= start(this.limits.memory)
    const worker = await this.worker.catch(() => undefined)
    if (worker === undefined) return notNow("nothing here reads such files")
    const began = performance.now()
    try {
      return await this.ask(worker, question, signal)
    } finally {
      this.spent += performance.now() - began
    }
  }

  /** A failure concerns this file alone: the next one gets a new thread. */
  private async ask(worker: Worker, question: Asked, signal: AbortSignal): Promise<ThreadText> {
    // Aborted while the thread was starting: nothing is asked, so no listener may reject what nothing awaits.
    signal.throwIfAborted()
    const { promise, resolve, reject } = Promise.withResolvers<ThreadText>()
    const givingUp = (why: string) => () => reject(new GaveUp(why))
    const look = async () => {
      const { external_memory: outside, total_heap_size: heap } = await worker.getHeapStatistics()
      if (outside + heap > this.limits.memory) givingUp("it takes too much memory")()
    }
    const failed = givingUp("it is damaged")
    const aborted = () => reject(signal.reason)
    // A thread that has ended has no statistics; its end is handled below.
    const watch = setInterval(() => void look().catch(() => undefined), LOOK)
    const timer = setTimeout(givingUp("it takes too long to read"), this.limits.file)
    worker.once("message", resolve).once("error", failed).once("exit", failed)
    signal.addEventListener("abort", aborted)
    try {
      const bytes =
        "bytes" in question ? question.bytes : "office" in question ? question.office : undefined
      const used = bytes === undefined ? [] : [bytes.buffer as ArrayBuffer]
      worker.postMessage(question, used)
      return await promise
    } catch (error) {
      await this.stop()
      if (error instanceof GaveUp) return unread(error.message)
      throw error
    } finally {
      clearInterval(watch)
      clearTimeout(timer)
      signal.removeEventListener("abort", aborted)
      worker.off("message", resolve).off("error", failed).off("exit", failed)
    }
  }

  private async stop(): Promise<void> {
    const { worker } = this
    this.worker = undefined
    await (await worker?.catch(() => undefined))?.terminate()
  }
}

class GaveUp extends Error {}

/** A thread that sees no environment and keeps no process alive, once it has loaded what it needs. */
const start = async (memory: number): Promise<Worker> => {
  // The compiled package has the worker as JavaScript beside this file.
  const extension = extname(import.meta.url)
  const worker = new Worker(new URL(`./readerWorker${extension}`, import.meta.url), {
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: Math.ceil(memory / 1024 / 1024) },
  })
  await once(worker, "message")
  // An error without a listener would end the process.
  worker.on("error", () => undefined).unref()
  return worker
}
