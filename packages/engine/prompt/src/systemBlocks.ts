/** Sections of a prompt → the blocks of a request, cut where a provider may cache. */
import { TOOL_INDEX } from "./toolIndex.ts"
import type { Section, SystemBlock } from "@planloom/plugin/effect"

/**
 * The leading stable sections form a block that a provider may keep, and the index of tools after them another one, so
 * that stages with other tools share the first. Sections of a stage kind have a block of their own, too.
 */
export const systemBlocks = (
  sections: ReadonlyArray<Pick<Section, "source" | "stable" | "text">>,
): ReadonlyArray<SystemBlock> => {
  const blocks: Array<{ text: string; cache?: boolean }> = []
  let isPrefix = true
  let previous = ""
  for (const { source, stable, text } of sections) {
    if (text === "") continue
    const isOfKind = source.startsWith(KIND)
    isPrefix &&= stable && !isOfKind
    const place = isPrefix
      ? source === TOOL_INDEX
        ? TOOL_INDEX
        : "prefix"
      : isOfKind
        ? "kind"
        : "rest"
    const last = blocks.at(-1)
    if (last !== undefined && place === previous) last.text += `\n\n${text}`
    else blocks.push(isPrefix ? { text, cache: true } : { text })
    previous = place
  }
  return blocks
}

/** Sources of sections that stage kinds contribute start with it. */
export const KIND = "kind:"
