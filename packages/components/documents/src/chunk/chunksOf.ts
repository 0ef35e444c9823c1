/** Splits a text by its structure into passages of 200 to 400 tokens, which cover it without gap and overlap. */
import { hash } from "node:crypto"
import { estimateTokens } from "@planloom/plugin/facts"
import type { Block, Form } from "./Block.ts"
import { blocksOf } from "./blocksOf.ts"
import { cutBlock } from "./cutBlock.ts"

export interface Chunk {
  /** Stays the same while its own section does, whatever else changes in the document. */
  readonly id: string
  /** The headings that it stands under, the highest first. */
  readonly headings: ReadonlyArray<string>
  /** First and last line, from 1. */
  readonly lines: readonly [number, number]
  /** Characters of the text, the end excluded. */
  readonly chars: readonly [number, number]
  /** From 1. */
  readonly page: number
  /** The header of the table that its first row belongs to. */
  readonly lead?: string
  /** Whether it holds headings alone. */
  readonly isBare: boolean
  readonly text: string
  /** Values by which a search is narrowed, by facet. */
  readonly facets?: { readonly [facet: string]: ReadonlyArray<string> }
  /** Of a row: the texts that are searched one by one, by column. */
  readonly columns?: { readonly [column: string]: string }
}

/** Tokens from which a passage ends at the next heading, of any level. */
const ENOUGH = 200

/** Most tokens of a passage; headings in front of a long block come on top. */
export const MOST = 400

/** Most tokens of a block of code, which is one passage. */
export const MOST_CODE = 1600

/** A longer header of a table is not repeated. */
const MAX_LEAD = 200

/** Headings of this level and above begin a section, which no passage leaves. */
const SECTION = 2

/** `name` is that of the document: ids differ between documents. */
export const chunksOf = (name: string, text: string, form: Form): ReadonlyArray<Chunk> => {
  const blocks = blocksOf(text, form).flatMap((block) =>
    cutBlock(text, block, block.kind === "code" ? MOST_CODE : MOST),
  )
  const identify = identifier(name)
  const path: Array<string> = []
  return joined(text, blocks).map((group) => {
    const first = group[0]!
    const opensSection = isSection(first)
    const opening = leading(group)
    for (const heading of opening) descend(path, heading)
    const headings = path.filter((title) => title !== "")
    const sections = path.slice(0, SECTION)
    for (const block of group.slice(opening.length)) descend(path, block)
    const { lead, line, page } = first
    const from = first.from
    const to = group.at(-1)!.to
    const own = text.slice(from, to)
    return {
      id: identify(sections, opensSection, own),
      headings,
      lines: [line, line + own.trimEnd().split("\n").length - 1],
      chars: [from, to],
      page,
      ...(lead !== undefined && lead !== "" && estimateTokens(lead) <= MAX_LEAD && { lead }),
      isBare: group.every(({ kind }) => kind === "heading"),
      text: own,
    }
  })
}

/** Replaces the headings from the level of a heading on. */
const descend = (path: Array<string>, { level, title = "" }: Block): void => {
  if (level === undefined) return
  const above = Array.from({ length: level - 1 }, (_, at) => path[at] ?? "")
  path.splice(0, Infinity, ...above, title)
}

const isSection = ({ level = Infinity }: Block): boolean => level <= SECTION

/** The headings that a group begins with. */
const leading = (group: ReadonlyArray<Block>): ReadonlyArray<Block> => {
  const end = group.findIndex(({ kind }) => kind !== "heading")
  return end < 0 ? group : group.slice(0, end)
}

/** Blocks that are one passage. */
const joined = (
  text: string,
  blocks: ReadonlyArray<Block>,
): ReadonlyArray<ReadonlyArray<Block>> => {
  const groups: Array<Array<Block>> = []
  let tokens = 0
  for (const block of blocks) {
    const size = estimateTokens(text.slice(block.from, block.to))
    const last = groups.at(-1)
    if (last !== undefined && fits(last, tokens, block, size)) {
      last.push(block)
      tokens += size
      continue
    }
    const moved = last === undefined || isSection(block) ? [] : headingsAtEnd(last, block)
    groups.push([...moved, block])
    tokens = moved.reduce((sum, { from, to }) => sum + estimateTokens(text.slice(from, to)), size)
  }
  return groups
}

const fits = (group: ReadonlyArray<Block>, tokens: number, block: Block, size: number): boolean => {
  if (isSection(block) || group[0]!.page !== block.page) return false
  if (block.kind === "heading" && tokens >= ENOUGH) return false
  const isBare = group.every(({ kind }) => kind === "heading")
  return tokens + size <= MOST || (isBare && tokens <= MOST)
}

/** Takes the headings from the end of a group: they belong to what follows on the same page. */
const headingsAtEnd = (group: Array<Block>, next: Block): ReadonlyArray<Block> => {
  const start = group.findLastIndex(({ kind }) => kind !== "heading") + 1
  return start === 0 || group[0]!.page !== next.page ? [] : group.splice(start)
}

/** Ids of passages in reading order, from their section and text. */
const identifier = (name: string) => {
  const seen = new Map<string, number>()
  const count = (key: string): number => {
    const times = seen.get(key) ?? 0
    seen.set(key, times + 1)
    return times
  }
  let section = ""
  return (path: ReadonlyArray<string>, opensSection: boolean, text: string): string => {
    const titles = JSON.stringify([name, path])
    if (opensSection || section === "") section = `${titles}${count(titles)}`
    const key = JSON.stringify([section, text])
    return hash("sha256", `${key}${count(key)}`).slice(0, 16)
  }
}
