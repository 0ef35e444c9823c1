/** Reads a typed yes or no, in the languages whose grammars exist. */
import { dialogueAct, grammarOf } from "@planloom/planning/reading"

/** Undefined for text that is neither, or something besides. */
export const yesOrNo = (text: string): boolean | undefined => {
  if (/^(?:true|y)$/i.test(text)) return true
  if (/^(?:false|n)$/i.test(text)) return false
  const acts = new Set(["en", "es"].flatMap((tag) => dialogueAct(text, grammarOf(tag)) ?? []))
  if (acts.size !== 1) return undefined
  if (acts.has("affirm")) return true
  return acts.has("refuse") ? false : undefined
}

/** The word of a refusal, and the comment behind it: "no, not before Friday". */
const refusal = /^(?:no?|nope)(?![\p{L}\p{N}'’])[\s,;:.!–—-]*(.*)$/isu

/** Behind a "no" they agree: "no problem", "no hay problema". */
const agreement = /^(?:hay |tengo )?(?:problem|worries|doubt|objection|inconvenient|duda|objeci)/i

/** A decision on an approval: a no may have a comment. Undefined for any other text, which is asked about again. */
export const approvalIn = (
  text: string,
): { readonly approved: boolean; readonly comment?: string } | undefined => {
  const approved = yesOrNo(text)
  if (approved !== undefined) return { approved }
  const comment = refusal.exec(text)?.[1] ?? ""
  return comment === "" || agreement.test(comment) ? undefined : { approved: false, comment }
}
