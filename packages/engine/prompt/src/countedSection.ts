/** Sections that count their own tokens. */
import type { Section } from "@planloom/plugin/effect"
import type { PromptSection } from "./StagePrompt.ts"
import type { TokenCounter } from "./tokens/tokens.ts"

/** Most prompts are never measured, so a section counts its tokens when they are read, once. */
export const counted = (section: Omit<Section, "tokens">, counter: TokenCounter): Section => {
  let tokens: number | undefined
  return {
    id: section.id,
    text: section.text,
    source: section.source,
    stable: section.stable,
    get tokens() {
      tokens ??= counter.count(section.text)
      return tokens
    },
  }
}

const constants = new WeakMap<TokenCounter, WeakMap<PromptSection, Section>>()

/** A section with the same text in every call is one object for all of them, measured once. */
export const ofPrompt = (section: PromptSection, text: string, counter: TokenCounter): Section => {
  const { id, source } = section
  if (typeof section.text !== "string") {
    // The tools of a run seldom change: a provider may cache them.
    return counted({ id, source, text, stable: section.tools === "alone" }, counter)
  }
  let known = constants.get(counter)
  if (known === undefined) constants.set(counter, (known = new WeakMap()))
  let made = known.get(section)
  if (made === undefined) {
    made = Object.freeze(counted({ id, source, text, stable: true }, counter))
    known.set(section, made)
  }
  return made
}
