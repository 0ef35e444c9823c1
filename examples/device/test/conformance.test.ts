/** The plugin's components held against what every component promises, each tool on a copy of the sample device. */
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { afterAll, assert, describe, it } from "vitest"
import type { JsonObject } from "@planloom/plugin/effect"
import { embedded } from "@planloom/retrieval"
import stages from "@planloom/stages"
import { stageKindSuite, toolSourceSuite } from "@planloom/testing"
import { fileTools, Folder, KeptFiles } from "@planloom/tools-files"
import { oneByOne } from "../Device.ts"
import { lists } from "../plugin.ts"
import { sourceOf } from "../source.ts"
import { catalogs } from "./deviceTools.ts"

const runner = { describe, it }
const outer = mkdtempSync(join(tmpdir(), "device-"))
const root = join(outer, "device")
const power = join(outer, "power")
cpSync(join(import.meta.dirname, "../device"), root, {
  recursive: true,
  filter: (path) => !path.includes(".state"),
})
for (const [name, text] of [
  ["type", "Battery"],
  ["capacity", "73"],
  ["status", "Discharging"],
]) {
  mkdirSync(join(power, "BAT0"), { recursive: true })
  writeFileSync(join(power, "BAT0", name!), `${text}\n`)
}
afterAll(() => rmSync(outer, { recursive: true, force: true }))

const folder = await Folder.open(root)
const kept = new KeptFiles(join(folder.root, ".state"))
const device = { folder, kept, bytes: 8192, power, inTurn: oneByOne() }
const source = sourceOf(device, [])
const search = await fileTools({ root, exclude: lists, cache: join(folder.root, ".state") })

const says = (text: string) => (result: unknown) =>
  assert.strictEqual((result as JsonObject)["text"], text)

toolSourceSuite(
  runner,
  search,
  [
    {
      name: "finds by content",
      tool: "search_files_semantic",
      params: { query: "landlord deposit", limit: 1 },
      check: says('The nearest 1 file for "landlord deposit": Documents/lease_agreement.txt.'),
    },
    {
      name: "says when nothing is near",
      tool: "search_files_semantic",
      params: { query: "xylophone quartet" },
      check: says("No file is about xylophone quartet."),
    },
    {
      name: "refuses a folder outside",
      tool: "search_files_recent",
      params: { folder: "../.." },
      fails: "invalid_request",
    },
    { name: "lists by time", tool: "search_files_recent", params: { limit: 3 } },
    {
      name: "lists by kind within a folder",
      tool: "search_files_by_type",
      params: { type: "markdown", folder: "recipes" },
      check: says("2 markdown files: Documents/recipes/lasagna.md, Documents/recipes/pancakes.md."),
    },
    {
      name: "finds by caption",
      tool: "search_photos_semantic",
      params: { query: "dog on a sofa", limit: 1 },
      check: says('The nearest 1 photo for "dog on a sofa": Photos/2026/IMG_0217.jpg.'),
    },
    {
      name: "keeps to the days",
      tool: "search_photos_semantic",
      params: { query: "Lisbon", from: "2026-05-16", to: "2026-05-16" },
      check: says('The nearest 1 photo for "Lisbon": Photos/2026/IMG_0205.jpg.'),
    },
    {
      name: "reads the camera's day",
      tool: "search_photos_by_date",
      params: { from: "2024-02-11" },
      check: (result) => {
        const [photo] = (result as unknown as { readonly photos: ReadonlyArray<JsonObject> }).photos
        assert.strictEqual(photo?.["taken"], "2024-02-11T11:12:45")
        assert.strictEqual(photo?.["camera"], "Example Phone 3")
        const { latitude, longitude } = photo!["place"] as unknown as {
          readonly latitude: number
          readonly longitude: number
        }
        assert.closeTo(latitude, 46.6, 0.02)
        assert.closeTo(longitude, 8, 0.02)
      },
    },
  ],
  { workspace: outer, index: embedded },
)

toolSourceSuite(
  runner,
  source,
  [
    { name: "switches", tool: "toggle_wifi", params: { state: "on" } },
    { name: "switches", tool: "toggle_bluetooth", params: { state: "off" } },
    { name: "flips", tool: "toggle_flashlight", params: { state: "flip" } },
    {
      name: "opens",
      tool: "open_app",
      params: { app: "the gallery app" },
      check: says("Gallery is open."),
    },
    {
      name: "knows no such app",
      tool: "open_app",
      params: { app: "Teleporter" },
      fails: "tool_error",
    },
    {
      name: "reads the system",
      tool: "get_battery_status",
      params: {},
      check: says("The battery is at 73 % (discharging)."),
    },
    {
      name: "copies",
      tool: "copy_text",
      params: { text: "é" },
      check: says("1 character is on the clipboard."),
    },
    { name: "reads", tool: "read_clipboard", params: {} },
    {
      name: "unrolls what repeats",
      tool: "calendar_query",
      params: { from: "2026-11-23" },
      check: says(
        "2 events on 2026-11-23: Team stand-up (2026-11-23 09:15), Quarterly review (2026-11-23 14:00).",
      ),
    },
    {
      name: "knows days without hours",
      tool: "calendar_query",
      params: { from: "2027-06-14", query: "birthday" },
      check: says('1 event about "birthday" on 2027-06-14: Mom\'s birthday (2027-06-14).'),
    },
    {
      name: "ends an event of whole days with its last day",
      tool: "calendar_query",
      params: { from: "2026-05-18", query: "Lisbon" },
      check: says('Nothing about "Lisbon" is in the calendar on 2026-05-18.'),
    },
    {
      name: "knows people by what they are called",
      tool: "contact_lookup",
      params: { name: "mum", field: "phone" },
      check: says("Ingrid Lindqvist: +46 40 555 0101."),
    },
    {
      name: "knows people without their accents",
      tool: "contact_lookup",
      params: { name: "petrovic" },
      check: says("Ana Petrović: +381 11 555 0164."),
    },
  ],
  // What it was before is part of the answer.
  { workspace: outer, fickle: ["toggle_wifi", "toggle_bluetooth", "toggle_flashlight"] },
)

it("says so where there is no battery", async () => {
  const without = sourceOf({ ...device, power: join(outer, "none") }, [])
  const result = await Effect.runPromise(
    without.call({
      tool: "get_battery_status",
      params: {},
      inputs: {},
      key: "k",
      workspace: outer,
      roots: [],
      user: {},
      index: (documents) => embedded.build(documents),
      variant: () => undefined,
      askNow: () => Effect.succeed({ value: null, by: "declined", at: 0 }),
      note: () => Effect.void,
      progress: () => Effect.void,
    }),
  )
  assert.deepStrictEqual(result.value, {
    text: "There is no battery here, or the system does not tell of one.",
    battery: null,
  })
})

const reply = {
  intent: "clipboard_action",
  reasoning_summary: "The user wants the clipboard.",
  chat_response: "Looking at the clipboard.",
  candidate_tools: ["read_clipboard"],
  arguments: {},
  confidence: 0.9,
}
const plan = { ...reply, each: false, settled: true, open: [] }
const intents = [
  { id: "unclear", tools: "none", reply: "What do you mean?" },
  { id: "clipboard_action", reply: "One moment, the clipboard." },
]
const files = catalogs.map((path) => join(import.meta.dirname, "..", path))
const components = { tools: [search, source], indexes: [embedded] }

const kind = (id: string) => stages.components!.stages!.find((one) => one.id === id)!

stageKindSuite(runner, kind("plan_turn"), [
  {
    name: "plans with a model",
    with: { intents, text: "what is on my clipboard" },
    replies: [{ json: reply }],
    components,
    files,
    check: (output) => assert.deepStrictEqual(output, plan),
  },
  {
    name: "plans without a model",
    with: { intents, text: "what is on my clipboard" },
    components,
    files,
    check: (output) =>
      assert.deepStrictEqual((output as JsonObject)["candidate_tools"], ["read_clipboard"]),
  },
  {
    name: "has nothing to plan with where no tool is for an intent",
    with: { intents, text: "what is on my clipboard" },
    components: { indexes: [embedded] },
    fails: "invalid_request",
  },
])

stageKindSuite(runner, kind("act"), [
  {
    name: "runs the candidate whose arguments are complete",
    with: {
      plan: { ...plan, candidate_tools: ["copy_text", "read_clipboard"] },
    },
    components,
    check: (output) => assert.strictEqual((output as JsonObject)["tool"], "read_clipboard"),
  },
  {
    name: "has a model pick one",
    with: { plan },
    replies: [{ json: { tool: "read_clipboard", params: {} } }],
    components,
    check: (output) => assert.isTrue((output as JsonObject)["ok"]),
  },
  {
    name: "runs nothing that does not exist",
    with: { plan: { ...plan, candidate_tools: ["format_disk"] } },
    components,
    fails: "invalid_request",
  },
])
