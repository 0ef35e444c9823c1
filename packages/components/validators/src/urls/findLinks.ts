/** Finds links in a text: addresses with a scheme, and domains that chat programs make into links. */
import { domainToUnicode } from "node:url"
import { runStart } from "@planloom/review-kit"
import { parse } from "tldts"

export interface Link {
  readonly start: number
  readonly end: number
  readonly scheme: string
  /** As people read it, in lower case; empty for schemes without one. */
  readonly host: string
  readonly hasCredentials: boolean
  readonly isAddress: boolean
}

/** Longest link: what follows is no part of it. */
export const LONGEST_LINK = 2048

const RUN = /[^\s<>"'`()[\]{}|\\^\u2018-\u201f«»]+/gu
const OPEN_RUN = new RegExp(`(?<=(${RUN.source.slice(0, -1)}{0,${LONGEST_LINK}}))`, "uy")
const SCHEME = /^([a-z][a-z0-9+.-]{1,20}):(?:\/\/)?[^\s/]/i
/** Schemes without `//`; other words before a colon are no scheme. */
const BARE_SCHEMES = new Set(["mailto", "tel", "sms", "javascript", "data", "vbscript", "file"])
/** Ends of names that are more often files than hosts. */
const FILES = new Set(["md", "rs", "sh", "py", "pl", "zip", "mov", "ps", "cc", "so", "ai", "ml"])

export const findLinks = (text: string): ReadonlyArray<Link> =>
  [...text.matchAll(RUN)].flatMap(({ 0: run, index }) => {
    // `see:https://…`, `link=https://…`
    const from = Math.max(0, run.search(/(?:https?|ftp|wss?):\/\//i))
    const address = run.slice(from, from + LONGEST_LINK).replace(/[.,:;!?*_~…]+$/u, "")
    const link = readLink(address)
    const start = index + from
    return link === undefined ? [] : [{ ...link, start, end: start + address.length }]
  })

/** Start of the end of a text that more text could turn into a link, or into a longer one; else the text's length. */
export const openLink = (text: string): number => runStart(text, OPEN_RUN)

const readLink = (address: string): Omit<Link, "start" | "end"> | undefined => {
  const scheme = SCHEME.exec(address)?.[1]?.toLowerCase()
  if (scheme !== undefined && (address.includes("://") || BARE_SCHEMES.has(scheme))) {
    return { scheme, ...hostOf(address) }
  }
  return isDomain(address) ? { scheme: "", ...hostOf(`http://${address}`) } : undefined
}

/** What a browser would open. */
const hostOf = (address: string): Pick<Link, "host" | "hasCredentials" | "isAddress"> => {
  const url = URL.parse(address)
  const { hostname = "", password = "", username = "" } = url ?? {}
  const isAddress = /^(?:\[.*\]|\d+(?:\.\d+){3})$/.test(hostname)
  return {
    host: isAddress ? hostname : domainToUnicode(hostname).toLowerCase().replace(/\.$/, ""),
    hasCredentials: url?.host !== "" && (username !== "" || password !== ""),
    isAddress,
  }
}

/** `example.com`, `www.example.com/path`; not `main.rs`, `done.It`, `ada@example.com`. */
const isDomain = (address: string): boolean => {
  const host = /^[^/?#:]+/.exec(address)?.[0] ?? ""
  if (!/^[\p{L}\p{N}][\p{L}\p{N}.-]*\.\p{L}[\p{L}\p{N}-]+$/u.test(host)) return false
  const end = host.slice(host.lastIndexOf(".") + 1)
  if (/^\p{Lu}\p{Ll}/u.test(end) || (FILES.has(end) && host === address)) return false
  const { domain, isIcann } = parse(host)
  return isIcann === true && domain !== null
}
