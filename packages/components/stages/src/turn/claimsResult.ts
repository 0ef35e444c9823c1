/** Replies that state a result. */

/**
 * English words of a reply that state an outcome: results found, things done, states and file names. Before a tool
 * has run they are made up.
 */
const outcome =
  /\b(?:i(?:'ve| have)?|we(?:'ve| have)?) (?:just )?(?:found|turned|switched|opened|copied|enabled|disabled|located|checked|sent|booked)\b|\bfound (?:\d+|it|your|the|a|an|one|two|three|several|some)\b|\bhere (?:is|are|'s|it is|they are)\b|\bhere's\b|\b(?:is|are) now (?:on|off|open)\b|\b(?:has|have) been\b|\b(?:there (?:is|are)|you have) (?:\d+|one|two|three|four|five|no|nothing|several)\b|\bdone\b|\d+\s?(?:%|percent)|\b[\w-]+\.(?:pdf|docx?|xlsx?|pptx?|txt|md|csv|jpe?g|png|heic)\b/i

export const claimsResult = (text: string): boolean => outcome.test(text.slice(0, 2000))
