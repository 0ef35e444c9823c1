/** Says what is on the clipboard. */
import { listed } from "@planloom/tools-files"
import type { DeviceTool } from "../DeviceTool.ts"

/** What `copy_text` takes, in its longest encoding. */
const LARGEST = 40_000

export const read_clipboard: DeviceTool = {
  tool: listed("read_clipboard", "Says what is on the clipboard.", "clipboard_action", {}),
  run: async (_, { kept }) => {
    const found = await kept.kept("clipboard.txt", LARGEST)
    const content = found === undefined ? "" : new TextDecoder().decode(found.bytes)
    const shown = content.length > 80 ? `${content.slice(0, 79)}…` : content
    return {
      text:
        content === ""
          ? "The clipboard is empty."
          : `The clipboard holds: ${shown.replaceAll("\n", " ")}`,
      content,
    }
  },
}
