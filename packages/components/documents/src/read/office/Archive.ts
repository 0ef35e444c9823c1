/** The parts of an office document, unpacked within bounds: a small archive can unpack to a huge one. */
import { zipDirectory, type ZipEntry } from "./zipDirectory.ts"
import { Unreadable } from "./Unreadable.ts"

const MAX_PARTS = 10_000

/** Bytes of all parts that are unpacked. */
const MAX_BYTES = 128 * 1024 * 1024

/** Times that a part is larger than packed; text of office programs packs to a twentieth. */
const MAX_RATIO = 250

/** Smaller parts may have any ratio. */
const SMALL = 1024 * 1024

/** Of the format before, and of encrypted documents of today. */
const COMPOUND = Buffer.from([0xd0, 0xcf, 0x11, 0xe0])

export class Archive {
  private readonly entries: ReadonlyMap<string, ZipEntry>
  private left = MAX_BYTES

  /** Fails with `Unreadable` for bytes that are no archive, as `text` and `checkAll` do for parts that are too large. */
  constructor(bytes: Buffer) {
    if (bytes.subarray(0, COMPOUND.length).equals(COMPOUND))
      throw new Unreadable("it is encrypted, or of an old format")
    const entries = zipDirectory(bytes)
    if (entries === undefined || entries.length === 0) throw new Unreadable("it is damaged")
    if (entries.length > MAX_PARTS) throw new Unreadable(`it has more than ${MAX_PARTS} parts`)
    this.entries = new Map(entries.map((entry) => [entry.name, entry]))
  }

  /** Undefined for a part that is not there. */
  text(name: string): string | undefined {
    const entry = this.entries.get(name)
    if (entry === undefined) return undefined
    return new TextDecoder().decode(this.unpacked(entry))
  }

  /** The text of a part without which there is no document. */
  needed(name: string): string {
    const text = this.text(name)
    if (text === undefined) throw new Unreadable("it is damaged")
    return text
  }

  /** Unpacks all parts, for a reader that has no bounds of its own. */
  checkAll(): void {
    for (const entry of this.entries.values()) this.unpacked(entry)
  }

  private unpacked(entry: ZipEntry): Buffer {
    const most = Math.min(this.left, Math.max(SMALL, MAX_RATIO * entry.packed))
    const unpacked = entry.unpack(most)
    if (unpacked === "too large")
      throw new Unreadable(
        most < this.left
          ? `a part of it unpacks to more than ${MAX_RATIO} times its size`
          : `it unpacks to more than ${MAX_BYTES / 1024 / 1024} MB`,
      )
    if (unpacked === "broken") throw new Unreadable("it is damaged")
    this.left -= unpacked.length
    return unpacked
  }
}
