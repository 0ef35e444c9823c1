/** Opens an app the device has. */
import { enumerated, listed } from "@planloom/tools-files"
import type { Device } from "../Device.ts"
import type { DeviceTool } from "../DeviceTool.ts"
import { DeviceFailed } from "../DeviceFailed.ts"
import { readList } from "./readList.ts"

export interface App {
  readonly name: string
  readonly package: string
  readonly aliases: ReadonlyArray<string>
}

const asApp = (value: { readonly [key: string]: unknown }): App | undefined => {
  const { aliases, name, package: id } = value
  return typeof name === "string" && typeof id === "string"
    ? { name, package: id, aliases: Array.isArray(aliases) ? aliases.map(String) : [] }
    : undefined
}

const folded = (text: string): string =>
  text
    .toLowerCase()
    .replace(/\b(app|application|the|my)\b/g, " ")
    .replace(/[^\p{L}\p{N}.]+/gu, " ")
    .trim()

/** How well an app answers to a name: 3 its name or package, 2 an alias, 1 a part of its name. */
const answers = ({ aliases, name, package: id }: App, wanted: string): number => {
  if (folded(name) === wanted || id.toLowerCase() === wanted) return 3
  if (aliases.some((alias) => folded(alias) === wanted)) return 2
  return wanted.length > 2 && folded(name).includes(wanted) ? 1 : 0
}

/** The apps of a device, by the list in its folder. */
export const readApps = (device: Pick<Device, "bytes" | "folder">): Promise<ReadonlyArray<App>> =>
  readList("apps.json", device, asApp)

/** `apps`: those that the words of a request can name. */
export const open_app = (apps: ReadonlyArray<App>): DeviceTool => ({
  tool: {
    ...listed(
      "open_app",
      "Opens an app by its name.",
      "automation",
      {
        app: {
          type: "string",
          minLength: 1,
          maxLength: 200,
          role: "app",
          description: "the app's name, such as Camera",
        },
      },
      ["app"],
    ),
    words: { app: Object.fromEntries(apps.map(({ aliases, name }) => [name, [name, ...aliases]])) },
    effect: "write",
  },
  run: async (params, device) => {
    const installed = await readApps(device)
    const wanted = folded(String(params["app"]))
    const [best] = installed
      .map((app) => ({ app, rank: answers(app, wanted) }))
      .filter(({ rank }) => rank > 0)
      .toSorted((a, b) => b.rank - a.rank)
    if (best === undefined)
      throw new DeviceFailed(
        installed.length === 0
          ? "this device has no apps"
          : `there is no app ${String(params["app"])}; there are ${enumerated(installed.map(({ name }) => name))}`,
      )
    const { name, package: id } = best.app
    await device.inTurn(() =>
      device.kept.keep("foreground.json", `${JSON.stringify({ name, package: id })}\n`),
    )
    return { text: `${name} is open.`, app: name, package: id }
  },
})
