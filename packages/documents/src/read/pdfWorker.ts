/** Worker thread that reads one PDF or HTML page per message; its parent can end it at any moment. */
import { parentPort } from "node:worker_threads"
import { pdfWords } from "./pdfWords.ts"
import type { HtmlQuestion, PdfQuestion, PdfText } from "./PdfReader.ts"

const port = parentPort!

port.on("message", async (question: PdfQuestion | HtmlQuestion) => {
  port.postMessage(await answerOf(question))
})

const answerOf = async (question: PdfQuestion | HtmlQuestion): Promise<PdfText> => {
  if ("bytes" in question) return pdfWords(question)
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
