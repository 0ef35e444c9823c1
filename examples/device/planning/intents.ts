/** What a message to a device can want. */
import type { ReaderIntent } from "@planloom/plugin/effect"

export const intents = [
  { id: "file_search", tools: "alternatives", reply: "Looking through your files." },
  { id: "photo_search", tools: "alternatives", reply: "Looking through your photos." },
  { id: "automation", tools: "actions", reply: "On it." },
  { id: "calendar_query", tools: "alternatives", reply: "Checking your calendar." },
  { id: "contact_lookup", tools: "alternatives", reply: "Looking in your address book." },
  { id: "clipboard_action", tools: "alternatives", reply: "One moment, the clipboard." },
  {
    id: "user_question",
    tools: "none",
    reply: "I can find files and photos, switch settings, and look up your calendar and contacts.",
  },
  {
    id: "unclear",
    tools: "none",
    reply: "Sorry, I did not understand that. Could you rephrase?",
  },
] as const satisfies ReadonlyArray<ReaderIntent>

export type Intent = (typeof intents)[number]["id"]

/** Whether a tool serves the intent. */
export const needsTool = (intent: string): boolean =>
  intents.some(({ id, tools }) => id === intent && tools !== "none")

/** The reply before a tool for this intent runs, or where none will. */
export const replyFor = (intent: Intent): string => intents.find(({ id }) => id === intent)!.reply
