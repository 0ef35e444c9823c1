/** PL5006: a hook would change an output that is streamed; found when sections are bound. */
import type { Rule } from "./Rule.ts"

export const hookOnStream: Rule = {
  code: "PL5006",
  slug: "hook_on_stream",
  severity: "error",
  title: "A hook would change an output that is streamed",
  why: "Its text has reached the host before the hook sees it.",
  fix: "Remove `stream` from the output, or the hook; a hook that observes or reviews is possible.",
  wrong:
    'hooks: [{ use: sign }]\noutputs: { answer: { value: "${{ stages.reply.output.text }}", stream: true } }',
  right:
    'hooks: [{ use: sign }]\noutputs: { answer: { value: "${{ stages.reply.output.text }}" } }',
}
