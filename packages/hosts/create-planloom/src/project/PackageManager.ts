/** The package managers that can install a project, and how their users call them. */

export interface PackageManager {
  readonly install: ReadonlyArray<string>
  /** Runs the command of the project: `npx planloom`. */
  readonly run: string
  /** Steps of a GitHub workflow that install what the lockfile says. */
  readonly ci: ReadonlyArray<string>
}

const npm: PackageManager = {
  install: ["npm", "install"],
  run: "npx planloom",
  ci: ["- run: npm ci"],
}

const others: { readonly [name: string]: PackageManager } = {
  pnpm: {
    install: ["pnpm", "install"],
    run: "pnpm planloom",
    ci: ["- run: corepack enable pnpm", "- run: pnpm install --frozen-lockfile"],
  },
  yarn: {
    install: ["yarn", "install"],
    run: "yarn planloom",
    ci: ["- run: corepack enable yarn", "- run: yarn install --immutable"],
  },
  bun: {
    install: ["bun", "install"],
    run: "bunx planloom",
    ci: ["- uses: oven-sh/setup-bun@v2", "- run: bun install --frozen-lockfile"],
  },
}

/** The one that runs this process: `npm/11.19.1 node/v24.21.0 linux x64`. npm, unless it says otherwise. */
export const managerOf = (userAgent: string | undefined): PackageManager =>
  others[/^(\w+)\//.exec(userAgent ?? "")?.[1] ?? ""] ?? npm
