/** Small PNG files: a picture with a palette, and a text chunk that says what it was made from. */
import { crc32, deflateSync, inflateSync } from "node:zlib"

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
/** Keyword of the text chunk. */
const SOURCE = "Source\0"
const MAX_COLORS = 256
const CHANNELS = 3

interface Chunk {
  readonly type: string
  readonly data: Buffer
}

export const chunksOf = (png: Buffer): ReadonlyArray<Chunk> => {
  if (!png.subarray(0, SIGNATURE.length).equals(SIGNATURE)) throw new TypeError("not a PNG file")
  const chunks: Array<Chunk> = []
  for (let at = SIGNATURE.length; at < png.length;) {
    const length = png.readUInt32BE(at)
    const type = png.toString("latin1", at + 4, at + 8)
    chunks.push({ type, data: png.subarray(at + 8, at + 8 + length) })
    at += length + 12
  }
  return chunks
}

const dataOf = (png: Buffer, type: string): Buffer =>
  Buffer.concat(chunksOf(png).flatMap((chunk) => (chunk.type === type ? [chunk.data] : [])))

/** The size in pixels. */
export const sizeOf = (png: Buffer): { readonly width: number; readonly height: number } => {
  const header = dataOf(png, "IHDR")
  return { width: header.readUInt32BE(0), height: header.readUInt32BE(4) }
}

/** The text that `withPalette` was given; undefined without one. */
export const sourceOf = (png: Buffer): string | undefined => {
  const text = dataOf(png, "tEXt").toString("latin1")
  return text.startsWith(SOURCE) ? text.slice(SOURCE.length) : undefined
}

/** The picture with at most 256 colors, a third of the size. Takes what a browser writes: 8 bits a channel, no transparency. */
export const withPalette = (png: Buffer, source: string): Buffer => {
  const header = Buffer.from(dataOf(png, "IHDR"))
  // Depth, RGB, the only compression, the only filters, no interlacing.
  if (!header.subarray(8).equals(Buffer.from([8, 2, 0, 0, 0]))) {
    throw new TypeError("not a picture of 8 bits a channel without transparency")
  }
  const { height, width } = sizeOf(png)
  const rows = unfiltered(inflateSync(dataOf(png, "IDAT")), width * CHANNELS, height)
  const counts = new Map<number, number>()
  const colorAt = (index: number) => rows.readUIntBE(index, CHANNELS)
  for (let at = 0; at < rows.length; at += CHANNELS) {
    const color = colorAt(at)
    counts.set(color, (counts.get(color) ?? 0) + 1)
  }
  const palette = [...counts]
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, MAX_COLORS)
    .map(([color]) => color)
  const nearest = new Map(palette.map((color, index) => [color, index]))
  const indexes = Buffer.alloc((width + 1) * height)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const color = colorAt((y * width + x) * CHANNELS)
      let index = nearest.get(color)
      if (index === undefined) nearest.set(color, (index = nearestIn(palette, color)))
      indexes[y * (width + 1) + 1 + x] = index
    }
  }
  header[9] = 3
  const colors = Buffer.alloc(palette.length * CHANNELS)
  for (const [index, color] of palette.entries())
    colors.writeUIntBE(color, index * CHANNELS, CHANNELS)
  return pngOf([
    chunk("IHDR", header),
    chunk("tEXt", Buffer.from(SOURCE + source, "latin1")),
    chunk("PLTE", colors),
    chunk("IDAT", deflateSync(indexes, { level: 9 })),
    chunk("IEND", Buffer.alloc(0)),
  ])
}

export const pngOf = (chunks: ReadonlyArray<Buffer>): Buffer =>
  Buffer.concat([SIGNATURE, ...chunks])

export const chunk = (type: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data])
  const around = Buffer.alloc(8)
  around.writeUInt32BE(data.length, 0)
  around.writeUInt32BE(crc32(body), 4)
  return Buffer.concat([around.subarray(0, 4), body, around.subarray(4)])
}

/** Each row begins with the number of its filter, which predicts a byte from those to the left and above. */
const unfiltered = (data: Buffer, stride: number, height: number): Buffer => {
  const rows = Buffer.alloc(stride * height)
  for (let y = 0; y < height; y++) {
    const filter = data[y * (stride + 1)]!
    for (let x = 0; x < stride; x++) {
      const at = y * stride + x
      const left = x < CHANNELS ? 0 : rows[at - CHANNELS]!
      const up = y === 0 ? 0 : rows[at - stride]!
      const corner = x < CHANNELS || y === 0 ? 0 : rows[at - stride - CHANNELS]!
      const predicted = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter]!
      rows[at] = data[y * (stride + 1) + 1 + x]! + predicted
    }
  }
  return rows
}

const paeth = (left: number, up: number, corner: number): number => {
  const [a, b, c] = [left, up, corner].map((one) => Math.abs(left + up - corner - one)) as [
    number,
    number,
    number,
  ]
  return a <= b && a <= c ? left : b <= c ? up : corner
}

const nearestIn = (palette: ReadonlyArray<number>, color: number): number => {
  const distance = (other: number) =>
    [16, 8, 0].reduce(
      (sum, shift) => sum + (((color >> shift) & 255) - ((other >> shift) & 255)) ** 2,
      0,
    )
  return palette.reduce(
    (best, other, index) => (distance(other) < distance(palette[best]!) ? index : best),
    0,
  )
}
