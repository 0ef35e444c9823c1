/** Sections of a prompt → the blocks of a request, cut where a provider may cache. */
import type { Section, SystemBlock } from "@planloom/plugin/effect"

/**
 * The leading stable sections form a block that a provider may keep. Sections of a stage kind follow in a block of
 * their own, so that the block before them is the same for every kind.
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
    const place = isPrefix ? "prefix" : isOfKind ? "kind" : "rest"
    const last = blocks.at(-1)
    if (last !== undefined && place === previous) last.text += `\n\n${text}`
    else blocks.push(isPrefix ? { text, cache: true } : { text })
    previous = place
  }
  return blocks
}

/** Sources of sections that stage kinds contribute start with it. */
export const KIND = "kind:"
