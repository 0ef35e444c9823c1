/** Worker thread that reads one PDF, HTML page or office document per message; its parent can end it at any moment. */
import { parentPort } from "node:worker_threads"
import { pdfWords } from "./pdfWords.ts"
import type { HtmlQuestion, OfficeQuestion, PdfQuestion, ThreadText } from "./ReaderThread.ts"

const port = parentPort!

type Asked = PdfQuestion | HtmlQuestion | OfficeQuestion

port.on("message", async (question: Asked) => {
  port.postMessage(await answerOf(question))
})

const answerOf = async (question: Asked): Promise<ThreadText> => {
  if ("bytes" in question) return pdfWords(question)
  if ("office" in question) return officeWords(question)
  // Most threads read PDFs alone.
  const { htmlText } = await import("./htmlText.ts")
  const { isCut, text } = htmlText(question.html)
  if (!/[\p{L}\p{N}]/u.test(text)) return { about: "", words: "", unread: "it holds no text" }
  return {
    about: "",
    words: text,
    ...(isCut && { cut: "elements that are nested too deeply are left out" }),
  }
}

port.postMessage("ready")

const officeWords = async ({ limit, office, path }: OfficeQuestion): Promise<ThreadText> => {
  const { officeText } = await import("./office/officeText.ts")
  const { about, text, unread } = await officeText(path, office)
  if (unread !== undefined) return { about, words: "", unread }
  return {
    about,
    words: text.slice(0, limit),
    ...(text.length > limit && { cut: `only its first ${limit} characters are read` }),
  }
}
