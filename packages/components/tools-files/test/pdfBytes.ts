/** Small PDFs, written by hand. */
import { deflateSync } from "node:zlib"

export interface PdfGiven {
  /** A text per page, one line each. */
  readonly pages?: ReadonlyArray<ReadonlyArray<string>>
  /** Content of the only page, as it is. */
  readonly content?: Buffer
  readonly title?: string
  readonly packed?: boolean
  readonly trailer?: string
}

const contentOf = (lines: ReadonlyArray<string>): Buffer =>
  Buffer.from(`BT /F1 12 Tf 72 720 Td ${lines.map((line) => `(${line}) Tj 0 -14 Td`).join(" ")} ET`)

/** ISO 32000-1, 7.5: header, objects, where they are, trailer. */
export const pdfOf = ({ content, packed = false, pages = [], title, trailer = "" }: PdfGiven) => {
  const contents = content === undefined ? pages.map(contentOf) : [content]
  const kids = contents.map((_, at) => `${4 + 2 * at} 0 R`).join(" ")
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    `<< /Type /Pages /Kids [${kids}] /Count ${contents.length} >>`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ...contents.flatMap((text, at) => {
      const data = packed ? deflateSync(text) : text
      const filter = packed ? "/Filter /FlateDecode" : ""
      return [
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents ${5 + 2 * at} 0 R /Resources << /Font << /F1 3 0 R >> >> >>`,
        Buffer.concat([
          Buffer.from(`<< /Length ${data.length} ${filter} >> stream\n`),
          data,
          Buffer.from("\nendstream"),
        ]),
      ]
    }),
    ...(title === undefined ? [] : [`<< /Title (${title}) >>`]),
  ]
  const parts = [Buffer.from("%PDF-1.5\n")]
  const places = objects.map((object, at) => {
    const place = parts.reduce((sum, { length }) => sum + length, 0)
    parts.push(Buffer.from(`${at + 1} 0 obj `), Buffer.from(object), Buffer.from(" endobj\n"))
    return `${String(place).padStart(10, "0")} 00000 n \n`
  })
  const table = parts.reduce((sum, { length }) => sum + length, 0)
  const info = title === undefined ? "" : `/Info ${objects.length} 0 R`
  const size = objects.length + 1
  return Buffer.concat([
    ...parts,
    Buffer.from(
      `xref\n0 ${size}\n0000000000 65535 f \n${places.join("")}trailer << /Size ${size} /Root 1 0 R ${info} ${trailer} >>\nstartxref\n${table}\n%%EOF`,
    ),
  ])
}

/** A password is asked for. */
export const encrypted =
  "/Encrypt << /Filter /Standard /V 1 /R 2 /O (01234567890123456789012345678901) /U (01234567890123456789012345678901) /P -4 >> /ID [(a) (b)]"
