/** Subagents on a stream: they read blocks of it beside each other, and the text leaves in order. */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { Panel } from "../review/Panel.ts"
import { severity, type Judged } from "../verdict/Outcome.ts"
import { isBlocked, type Blocked, type Passed } from "./Passage.ts"
import { PartReader } from "./PartReader.ts"
import { marksOf, type Mark } from "./spans.ts"

/** Characters that a block has at least. */
const BLOCK = 160

/** Characters that a block without white space has at most. */
const MAX_BLOCK = 240

/** Blocks that are reviewed at the same time. */
const AT_ONCE = 4

interface Block {
  /** Position in the reply. */
  readonly start: number
  readonly text: string
  /** The text before it, as much as the reviewers read. */
  readonly before: string
  readonly last: boolean
}

interface Reviewing {
  readonly block: Block
  readonly results: ReadonlyArray<Effect.Success<ReturnType<Panel["judged"]>>>
}

export class Windows extends PartReader {
  private readonly marks: Array<Mark> = []
  /** Characters before a block that a reviewer reads with it. */
  private readonly carry = Math.max(0, ...this.members.map(({ facts }) => facts.longest ?? 0))
  private open = ""
  private before = ""
  private start = 0

  /** The model is read on while reviews work: its request may hold the place in a rate that they wait for. */
  through<E>(passed: Stream.Stream<Passed, E>): Stream.Stream<Passed, E> {
    if (this.members.length === 0) return passed
    const blocks = Stream.concat(
      Stream.flatMap(passed, (one) =>
        Stream.fromIterable<Block | Blocked>(
          isBlocked(one) ? [{ ...one, text: this.open + one.text }] : this.cut(one.text),
        ),
      ),
      Stream.suspend(() => Stream.fromIterable<Block | Blocked>(this.rest())),
    )
    const reviewed = Stream.mapEffect(
      Stream.buffer(blocks, { capacity: "unbounded" }),
      (one): Effect.Effect<Reviewing | Blocked> =>
        "blocked" in one ? Effect.succeed(one) : this.reviewed(one),
      { concurrency: AT_ONCE },
    )
    return Stream.takeUntil(
      Stream.map(reviewed, (one): Passed =>
        "blocked" in one
          ? { ...one, text: this.buffer.rest(this.marks) + one.text }
          : this.settled(one),
      ),
      isBlocked,
    )
  }

  private cut(text: string): ReadonlyArray<Block> {
    const blocks: Array<Block> = []
    this.open += text
    for (let end = borderIn(this.open); end !== undefined; end = borderIn(this.open)) {
      blocks.push(this.block(this.open.slice(0, end), false))
      this.open = this.open.slice(end)
    }
    return blocks
  }

  private rest(): ReadonlyArray<Block> {
    return this.open === "" && this.start === 0 ? [] : [this.block(this.open, true)]
  }

  private block(text: string, last: boolean): Block {
    const block = { start: this.start, text, before: this.before, last }
    this.start += text.length
    this.before = (this.before + text).slice(-this.carry || Infinity)
    return block
  }

  private reviewed(block: Block): Effect.Effect<Reviewing> {
    const { before, last, text } = block
    return Effect.map(
      Effect.forEach(
        this.members,
        (member) => {
          const whole = before + text
          const part = { start: before.length, end: whole.length, last }
          return this.panel.judged(member, { ...this.about, text: whole, part }, this.context)
        },
        { concurrency: "unbounded" },
      ),
      (results) => ({ block, results }),
    )
  }

  /** Called in the order of the blocks. */
  private settled({ block, results }: Reviewing): Passed {
    const { buffer, marks } = this
    const offset = block.start - block.before.length
    buffer.append(block.text)
    let blocked: Judged | undefined
    for (const [index, { judged, reviewed }] of results.entries()) {
      const { finding } = judged
      this.reviews.get(this.members[index]!)!.add(reviewed, judged, offset)
      if (finding.verdict === "block") blocked ??= judged
      else if (severity(finding.verdict) > severity("flag")) marks.push(...marksOf(finding, offset))
    }
    if (blocked !== undefined) return { blocked, text: buffer.rest(marks) }
    // The end of a block may be the start of a match that the next one completes.
    const out = buffer.release(block.last ? buffer.end : buffer.end - this.carry, marks)
    this.hasReplaced ||= marks.some(({ end }) => end <= buffer.left)
    buffer.forgetBefore(buffer.left)
    return { text: out }
  }
}

/** Length of the first block of a text that goes beyond it. The text alone decides. */
const borderIn = (text: string): number | undefined => {
  for (let at = BLOCK; at < Math.min(text.length, MAX_BLOCK); at++) {
    if (/\s/.test(text[at - 1]!)) return at
  }
  if (text.length <= MAX_BLOCK) return undefined
  const code = text.charCodeAt(MAX_BLOCK - 1)
  return code >= 0xd800 && code < 0xdc00 ? MAX_BLOCK - 1 : MAX_BLOCK
}
