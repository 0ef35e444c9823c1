/** Pages by their URLs: asked for through the checked client, and again only with what they were marked by. */
import type { Transport } from "@planloom/tools-http"
import { readHtml, readPdfBytes, unread, type ReadDocument } from "../index/readDocument.ts"
import type { ReaderThread } from "../read/ReaderThread.ts"
import { textOf } from "../read/textOf.ts"
import { readItem } from "./FolderSource.ts"
import type { Listing, ReadItem, Source, SourceItem, Unread } from "./Source.ts"

export interface UrlList {
  readonly urls: ReadonlyArray<string>
  /** Ranges of addresses that are not public and may be connected to. */
  readonly private?: ReadonlyArray<string>
}

/** Milliseconds for a page with its redirects. */
const TIMEOUT_MS = 30_000
const MAX_BYTES = 5_000_000
const MAX_REDIRECTS = 5

/** Gone for good, as its server says. */
const GONE = [404, 410]

export class UrlSource implements Source {
  private readonly pages: UrlList
  private readonly facets: ReadonlyArray<string>
  private readonly reader: ReaderThread
  private opened: Promise<Transport> | undefined

  constructor(pages: UrlList, facets: ReadonlyArray<string>, reader: ReaderThread) {
    this.pages = pages
    this.facets = facets
    this.reader = reader
  }

  list(): Promise<Listing> {
    const items = this.pages.urls.map((url): SourceItem => ({
      path: url,
      // One server need not say when another page changes.
      isSettled: () => true,
      read: (signal, known) => this.read(url, signal, known),
    }))
    return Promise.resolve({ items, unreadable: [], left: false })
  }

  async close(): Promise<void> {
    const opened = await this.opened?.catch(() => undefined)
    opened?.close()
  }

  private async read(
    url: string,
    signal: AbortSignal,
    known: string | undefined,
  ): Promise<ReadItem | Unread> {
    try {
      this.opened ??= openTransport(this.pages)
      const transport = await this.opened
      const { body, headers, status } = await transport.send(
        { method: "GET", url: new URL(url), headers: marksOf(known) },
        signal,
      )
      if (status === 304) return { isUnread: true }
      if (GONE.includes(status))
        return { chunks: [], isPaged: false, problem: `its server answers ${status}` }
      if (status !== 200) return { isUnread: true, problem: `its server answers ${status}` }
      const type = headers["content-type"] ?? ""
      const mark = JSON.stringify({
        ...(headers.etag !== undefined && { "if-none-match": headers.etag }),
        ...(headers["last-modified"] !== undefined && {
          "if-modified-since": headers["last-modified"],
        }),
      })
      const modified = Date.parse(headers["last-modified"] ?? "")
      return {
        ...readItem(url, await this.document(type, body, signal), this.facets),
        mark,
        ...(!Number.isNaN(modified) && { modified }),
      }
    } catch (error) {
      signal.throwIfAborted()
      if (!(error instanceof Error)) throw error
      return { isUnread: true, problem: error.message }
    }
  }

  private document(
    type: string,
    body: Buffer,
    signal: AbortSignal,
  ): Promise<ReadDocument> | ReadDocument {
    const kind = type.split(";")[0]!.trim().toLowerCase()
    // Bytes of a pool cannot be handed to a thread.
    if (kind === "application/pdf") return readPdfBytes(new Uint8Array(body), this.reader, signal)
    if (kind === "text/html" || kind === "application/xhtml+xml")
      return readHtml(body, true, this.reader, signal)
    if (!/^text\/|json$|yaml$/.test(kind)) return unread(`it is of the type ${kind || "unknown"}`)
    const text = textOf(body)
    if (text === undefined) return unread("it is not text")
    const form = kind === "text/markdown" ? "markdown" : kind === "text/csv" ? "table" : "plain"
    return { text, form, isPaged: false }
  }
}

const marksOf = (known: string | undefined): { readonly [name: string]: string } =>
  known === undefined ? {} : (JSON.parse(known) as { readonly [name: string]: string })

/** A redirect stays within the hosts of the list. */
const openTransport = async ({ private: addresses = [], urls }: UrlList): Promise<Transport> => {
  const { Transport: Client } = await import("@planloom/tools-http")
  return new Client({
    hosts: [...new Set(urls.map((url) => new URL(url).origin))],
    private: addresses,
    methods: ["GET"],
    timeout: TIMEOUT_MS,
    maxBytes: MAX_BYTES,
    maxRedirects: MAX_REDIRECTS,
  })
}
