/** Office documents as programs write them, for tests: archives of XML parts. */
import { deflateRawSync } from "node:zlib"

/** An archive of packed parts, its sums left at 0. */
export const zipOf = (parts: { readonly [name: string]: string | Buffer }): Buffer => {
  const locals: Array<Buffer> = []
  const entries: Array<Buffer> = []
  let offset = 0
  for (const [name, text] of Object.entries(parts)) {
    const data = deflateRawSync(text)
    const local = Buffer.alloc(30)
    local.writeUInt32LE(0x04034b50, 0)
    local.writeUInt16LE(name.length, 26)
    const entry = Buffer.alloc(46)
    entry.writeUInt32LE(0x02014b50, 0)
    entry.writeUInt16LE(8, 10)
    entry.writeUInt32LE(data.length, 20)
    entry.writeUInt16LE(name.length, 28)
    entry.writeUInt32LE(offset, 42)
    locals.push(local, Buffer.from(name), data)
    entries.push(entry, Buffer.from(name))
    offset += 30 + name.length + data.length
  }
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(Object.keys(parts).length, 10)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...locals, ...entries, end])
}

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'

/** A run of a paragraph; its properties stand in front of the text. */
const run = (text: string, properties = ""): string =>
  `<w:r><w:rPr>${properties}</w:rPr><w:t xml:space="preserve">${text}</w:t></w:r>`

export const wordParagraph = (text: string, properties = ""): string =>
  `<w:p><w:pPr>${properties}</w:pPr>${run(text)}</w:p>`

export const wordStyle = (id: string): string => `<w:pStyle w:val="${id}"/>`

export const wordTable = (rows: ReadonlyArray<ReadonlyArray<string>>): string =>
  `<w:tbl>${rows
    .map(
      (row) => `<w:tr>${row.map((cell) => `<w:tc>${wordParagraph(cell)}</w:tc>`).join("")}</w:tr>`,
    )
    .join("")}</w:tbl>`

export const wordRun = run

/** The ids of styles are those of a German Word; their names are not translated. */
const STYLES = `${XML}<w:styles xmlns:w="w">
<w:style w:type="paragraph" w:styleId="Titel"><w:name w:val="Title"/></w:style>
<w:style w:type="paragraph" w:styleId="berschrift1"><w:name w:val="heading 1"/><w:pPr><w:outlineLvl w:val="0"/></w:pPr></w:style>
<w:style w:type="paragraph" w:styleId="berschrift2"><w:name w:val="heading 2"/></w:style>
<w:style w:type="paragraph" w:styleId="Eigene"><w:name w:val="Ours"/><w:basedOn w:val="berschrift2"/></w:style>
</w:styles>`

export const docxOf = (body: string, more: { readonly [name: string]: string } = {}): Buffer =>
  zipOf({
    "word/document.xml": `${XML}<w:document xmlns:w="w"><w:body>${body}</w:body></w:document>`,
    "word/styles.xml": STYLES,
    ...more,
  })

const shape = (kind: string, ...texts: ReadonlyArray<string>): string =>
  `<p:sp><p:nvSpPr><p:nvPr>${kind === "" ? "" : `<p:ph type="${kind}"/>`}</p:nvPr></p:nvSpPr><p:txBody>${texts
    .map((text) => `<a:p><a:r><a:t>${text}</a:t></a:r></a:p>`)
    .join("")}</p:txBody></p:sp>`

export const slideOf = (title: string, ...texts: ReadonlyArray<string>): string =>
  `${XML}<p:sld xmlns:p="p" xmlns:a="a"><p:cSld><p:spTree>${shape("title", title)}${shape("", ...texts)}${shape("sldNum", "footerword")}</p:spTree></p:cSld></p:sld>`

/** Their files are numbered in another order than they are shown. */
export const pptxOf = (...slides: ReadonlyArray<string>): Buffer => {
  const file = (at: number) => `slides/slide${slides.length - at}.xml`
  return zipOf({
    "ppt/presentation.xml": `${XML}<p:presentation xmlns:p="p" xmlns:r="r"><p:sldIdLst>${slides
      .map((_, at) => `<p:sldId id="${256 + at}" r:id="rId${at + 1}"/>`)
      .join("")}</p:sldIdLst></p:presentation>`,
    "ppt/_rels/presentation.xml.rels": `${XML}<Relationships>${slides
      .map((_, at) => `<Relationship Id="rId${at + 1}" Type="slide" Target="${file(at)}"/>`)
      .join("")}</Relationships>`,
    ...Object.fromEntries(slides.map((slide, at) => [`ppt/${file(at)}`, slide])),
  })
}

export const odfOf = (body: string, more: { readonly [name: string]: string } = {}): Buffer =>
  zipOf({
    "content.xml": `${XML}<office:document-content xmlns:office="o" xmlns:text="t" xmlns:table="b" xmlns:draw="d"><office:automatic-styles><style:style><text:p>styleword</text:p></style:style></office:automatic-styles><office:body>${body}</office:body></office:document-content>`,
    ...more,
  })
