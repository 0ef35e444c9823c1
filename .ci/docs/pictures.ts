/** The pictures of README.md: the report that the demo writes, and the edit loop. */
import assert from "node:assert/strict"
import { execFileSync } from "node:child_process"
import { createHash } from "node:crypto"
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { debianProgram } from "../debianProgram.ts"
import { styleOf } from "../../packages/hosts/cli/src/terminal/Style.ts"
import { demoArguments, startHost } from "./demo.ts"
import { editRecording } from "./editRecording.ts"
import { lasting } from "./lasting.ts"
import { withPalette } from "./Png.ts"
import { terminalPicture } from "./terminalPicture.ts"

const root = join(import.meta.dirname, "../..")

export const REPORT_PICTURE = "docs/pictures/report.png"
export const EDIT_PICTURE = "docs/pictures/edit_loop.svg"

/** CSS pixels, down to the end of the chart. */
const VIEW = { width: 880, height: 1130 }
const PIXELS = 1.5
/** Narrow, so that it can be read beside another picture. */
const COLUMNS = 72

/** The page that the demo writes. */
export const reportPage = async (): Promise<string> => {
  await using host = await startHost()
  const folder = await mkdtemp(join(tmpdir(), "planloom-pictures-"))
  try {
    await host.planloom([...(await demoArguments()), "--out", folder, "--quiet"], root, 0)
    return await readFile(join(folder, "report.html"), "utf8")
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** The source of a page's picture, as the picture states it. */
export const digestOf = (page: string): string =>
  `sha256:${createHash("sha256").update(page).digest("hex")}`

/** The browser that draws the page, or why there is none. */
export const browser = () => debianProgram("chromium-headless-shell")

/** The picture of the page, drawn by a browser. */
export const reportPicture = async (page: string, program: string): Promise<Buffer> => {
  const folder = await mkdtemp(join(tmpdir(), "planloom-pictures-"))
  const file = (name: string) => join(folder, name)
  try {
    await writeFile(file("report.html"), page)
    await writeFile(file("fonts.conf"), fonts)
    execFileSync(
      program,
      [
        "--headless",
        "--no-sandbox",
        "--hide-scrollbars",
        `--user-data-dir=${file("browser")}`,
        `--force-device-scale-factor=${PIXELS}`,
        `--window-size=${VIEW.width},${VIEW.height}`,
        `--screenshot=${file("report.png")}`,
        `file://${file("report.html")}`,
      ],
      { env: { ...process.env, FONTCONFIG_FILE: file("fonts.conf") }, stdio: "ignore" },
    )
    return withPalette(await readFile(file("report.png")), digestOf(page))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Debian's package fonts-inter, if it is installed, for the font that the page leaves to the system. */
const fonts = `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><include ignore_missing="yes">/etc/fonts/fonts.conf</include>
${["system-ui", "sans-serif"].map((name) => `<match target="pattern"><test name="family"><string>${name}</string></test><edit name="family" mode="prepend" binding="strong"><string>Inter</string></edit></match>`).join("\n")}
</fontconfig>
`

/** The picture of an edit; one that differs in times alone stays unchanged. */
export const editPicture = async (now: string): Promise<string> => {
  const { command, printed } = await editRecording(styleOf(true), COLUMNS)
  const [words, text] = command.split(" --input ")
  assert(text !== undefined)
  const picture = terminalPicture(
    `$ ${words} \\\n    --input ${text}\n${printed}`,
    COLUMNS,
    "planloom dev after an edit of a prompt: one stage is replayed, the other ran again",
  )
  return withoutPlaces(now) === withoutPlaces(picture) ? now : picture
}

/** A time of another length moves what stands behind it. */
const withoutPlaces = (svg: string): string =>
  lasting(svg.replaceAll(/ (?:x|textLength)="[\d.]+"/g, ""))
