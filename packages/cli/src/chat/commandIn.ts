/** What a message that begins with a slash asks of the conversation itself. */
import { nearest } from "../project/nearest.ts"
import { stderr } from "../terminal/Screen.ts"
import { definitions } from "../terminal/table.ts"

export type ChatCommand =
  | { readonly does: "quit" | "new" | "turns" }
  | { readonly does: "say"; readonly text: string }

const commands: { readonly [name: string]: string } = {
  "/turns": "what is kept of this conversation",
  "/new": "begin a new conversation",
  "/quit": "leave; Ctrl-D does, too",
  "/help": "this",
}

const aliases: { readonly [name: string]: string } = {
  "/exit": "/quit",
  "/q": "/quit",
  "/bye": "/quit",
  "/history": "/turns",
  "/clear": "/new",
  "/reset": "/new",
  "/?": "/help",
}

/** Undefined for a message; `//` begins one with a slash. */
export const commandIn = (text: string): ChatCommand | undefined => {
  if (!text.startsWith("/") || text.startsWith("//")) return undefined
  const [typed = ""] = text.split(/\s/)
  const name = (Object.hasOwn(aliases, typed) ? aliases[typed] : undefined) ?? typed
  switch (name) {
    case "/quit":
    case "/new":
    case "/turns":
      return { does: name.slice(1) as "quit" | "new" | "turns" }
    case "/help":
      return { does: "say", text: help() }
    default: {
      const near = nearest(name, Object.keys(commands))
      const hint = near.length > 0 ? `did you mean ${near.join(" or ")}?` : "see /help"
      return { does: "say", text: stderr.style.warn(`there is no ${typed}; ${hint}`) }
    }
  }
}

const help = (): string => {
  const { style } = stderr
  return [
    ...definitions(
      Object.entries(commands).map(([name, text]) => [name, [text]] as const),
      "  ",
    ),
    "",
    ...[
      "Ctrl-C cancels what is under way; twice, it leaves.",
      "A message that begins with a slash is written with two: //etc/hosts.",
      "What you paste is one message, however many lines it has.",
    ].map((line) => `  ${style.dim(line)}`),
  ].join("\n")
}
