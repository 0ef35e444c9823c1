/** Worker thread that reads one PDF per message; its parent can end it at any moment. */
import { parentPort } from "node:worker_threads"
import { pdfWords } from "./pdfWords.ts"
import type { PdfQuestion } from "./PdfReader.ts"

const port = parentPort!

port.on("message", async ({ bytes, limit }: PdfQuestion) => {
  port.postMessage(await pdfWords(bytes, limit))
})

port.postMessage("ready")
