/** Reads the words of one file. */
import { FilesFailed } from "../FilesFailed.ts"
import { listed, type FileTool } from "../FileTool.ts"
import { documentWords } from "./results.ts"

export const read_document: FileTool = {
  tool: listed(
    "read_document",
    "Reads the words of one file, such as a text, an office document or a PDF.",
    "file_reading",
    {
      path: {
        type: "string",
        minLength: 1,
        maxLength: 1024,
        role: "file",
        description: "the file, from the root, as a search returned it",
      },
    },
    ["path"],
    documentWords,
  ),
  run: async (params, library, call) => {
    const entry = await library.document(String(params["path"]), call.signal)
    const { path, text: content, type, unread } = entry
    if (unread !== undefined) throw new FilesFailed(`${path} cannot be read: ${unread}`)
    if (content === "") throw new FilesFailed(`${path} has no words`)
    const complete = content.length < library.limits.bytes
    return {
      text: `${complete ? "All" : "The start"} of ${path}: ${content.length.toLocaleString("en")} characters.`,
      path,
      type,
      content,
      complete,
    }
  },
}
