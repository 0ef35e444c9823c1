/** Puts a text on the clipboard. */
import { counted, listed } from "@planloom/tools-files"
import type { DeviceTool } from "../DeviceTool.ts"

export const copy_text: DeviceTool = {
  tool: {
    ...listed(
      "copy_text",
      "Puts a text on the clipboard.",
      "clipboard_action",
      {
        text: {
          type: "string",
          minLength: 1,
          maxLength: 10_000,
          role: "text",
          description: "the text, word for word",
        },
      },
      ["text"],
    ),
    effect: "write",
  },
  run: async (params, device) => {
    const text = String(params["text"])
    await device.inTurn(() => device.kept.keep("clipboard.txt", text))
    return {
      text: `${counted([...text].length, "character")} are on the clipboard.`.replace(
        /^1 character are/,
        "1 character is",
      ),
      characters: [...text].length,
    }
  },
}
