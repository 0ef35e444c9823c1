/** Worker thread that reads one PDF per message; its parent can end it at any moment. */
import { parentPort } from "node:worker_threads"
import { pdfWords } from "./pdfWords.ts"
import type { PdfQuestion } from "./PdfReader.ts"

const port = parentPort!

port.on("message", async (question: PdfQuestion) => {
  port.postMessage(await pdfWords(question))
})

port.postMessage("ready")
