/** Parses a message that starts with a slash as a chat command. */
import { nearest } from "../project/nearest.ts"
import { stderr } from "../terminal/Screen.ts"
import { definitions } from "../terminal/table.ts"

export type ChatCommand =
  | { readonly does: "quit" | "new" | "turns" }
  | { readonly does: "say"; readonly text: string }

const commands: { readonly [name: string]: string } = {
  "/turns": "show the turns of this session",
  "/new": "start a new session",
  "/quit": "leave, as Ctrl-D does",
  "/help": "show this help",
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

/** Returns undefined for a message; `//` starts a message with a slash. */
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
      "Ctrl-C cancels the current turn; press it twice to leave.",
      "To start a message with a slash, type two: //etc/hosts.",
      "Pasted text is one message, even with several lines.",
    ].map((line) => `  ${style.dim(line)}`),
  ].join("\n")
}
