import type { RunEvent } from "@planloom/plugin/effect"
import { describe, expect, it } from "vitest"
import type { Screen } from "../terminal/Screen.ts"
import { styleOf } from "../terminal/Style.ts"
import { LiveView } from "./LiveView.ts"

/** A terminal that keeps what is on it: understands exactly what the view writes. */
class Display {
  readonly lines: Array<string> = [""]
  row = 0
  width = 60

  readonly screen: Screen = {
    style: styleOf(false),
    live: true,
    columns: () => this.width,
    rows: () => 20,
    write: (text) => this.take(text),
  }

  private take(text: string): void {
    // oxlint-disable-next-line no-control-regex -- the sequences of a terminal
    for (const part of text.match(/\u001b\[[?0-9;]*[A-Za-z]|[^\u001b\n\r]+|\n|\r/g) ?? []) {
      if (part === "\n") {
        this.row++
        this.lines[this.row] ??= ""
      } else if (part.endsWith("A") && part.startsWith("\u001b"))
        this.row -= Number(part.slice(2, -1))
      else if (part === "\u001b[J") this.lines.length = this.row
      else if (!part.startsWith("\u001b") && part !== "\r") this.lines[this.row] = part
      if (this.row < 0) throw new Error("the view went above its first line")
    }
  }

  text(): string {
    return this.lines
      .map((line) => line.trimEnd())
      .join("\n")
      .trimEnd()
  }
}

const event = (seq: number, at: number, rest: object): RunEvent =>
  ({ seq, at, ...rest }) as unknown as RunEvent

describe("the live view", () => {
  it("redraws in place and leaves settled lines in the scrollback once", () => {
    const display = new Display()
    let now = 0
    const view = new LiveView(display.screen, 8, () => now)
    view.push(event(0, 0, { type: "RunStarted", run: "r", workflow: "w", inputs: {} }))
    view.push(event(1, 0, { type: "StageStarted", path: "a", stage: "a", uses: "give" }))
    view.draw()
    now = 80
    view.draw()
    view.push(
      event(2, 90, { type: "StageFinished", path: "a", stage: "a", output: 1, attempts: 1 }),
    )
    view.push(event(3, 90, { type: "StageStarted", path: "b", stage: "b", uses: "give" }))
    now = 160
    view.draw()
    expect(display.text()).toMatchInlineSnapshot(`
      "✓ a         give                                      90 ms
      ⠹ b         give                                      70 ms
      160 ms"
    `)
    view.push(
      event(4, 200, { type: "StageFinished", path: "b", stage: "b", output: 1, attempts: 1 }),
    )
    view.push(event(5, 200, { type: "RunFinished", outputs: {} }))
    view.stop()
    expect(display.text()).toMatchInlineSnapshot(`
      "✓ a         give                                      90 ms
      ✓ b         give                                     110 ms"
    `)
  })

  it("is hidden during a question and redrawn below it", async () => {
    const display = new Display()
    const view = new LiveView(display.screen, 8, () => 0)
    view.push(event(0, 0, { type: "RunStarted", run: "r", workflow: "w", inputs: {} }))
    view.push(event(1, 0, { type: "StageStarted", path: "a", stage: "a", uses: "give" }))
    view.draw()
    await view.aside(async () => {
      expect(display.text()).toBe("")
      display.screen.write("allow it? y\n")
    })
    view.draw()
    view.stop()
    expect(display.text().split("\n")[0]).toBe("allow it? y")
    expect(display.text()).toContain("⠋ a")
  })

  it("keeps text that is printed above it", () => {
    const display = new Display()
    const view = new LiveView(display.screen, 8, () => 0)
    view.push(event(0, 0, { type: "RunStarted", run: "r", workflow: "w", inputs: {} }))
    view.push(event(1, 0, { type: "StageStarted", path: "a", stage: "a", uses: "give" }))
    view.draw()
    view.printAbove(() => display.screen.write("the reply\n"))
    view.draw()
    expect(display.text().split("\n").slice(0, 2)).toEqual([
      "the reply",
      expect.stringContaining("⠋ a"),
    ])
    view.stop()
  })
})
