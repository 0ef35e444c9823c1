/** Makes the files of a package with one component: its manifest, code, conformance suite and README. */

/** The files of a new package, by path from its folder. */
export interface NewFiles {
  readonly [path: string]: string
}

/** The package of a component whose id is `name`; `variable` is `name` in camel case. */
export type Template = (given: { readonly name: string; readonly variable: string }) => {
  /** The kind of component, as a sentence names it. */
  readonly noun: string
  /** Of the component: `adds words to a section of the prompt`. */
  readonly does: string
  readonly plugin: string
  readonly test: string
  /** How a workflow uses it, in Markdown. */
  readonly usage: string
}

/** `version` is that of the engine. */
export const packageFiles = (
  kind: string,
  template: Template,
  name: string,
  version: string,
): NewFiles => {
  const { does, noun, plugin, test, usage } = template({ name, variable: variableOf(name) })
  const manifest = {
    name: `planloom-${kind}-${name.replaceAll("_", "-")}`,
    version: "0.1.0",
    description: `The ${noun} ${name} for Planloom.`,
    type: "module",
    // Node runs no `.ts` file inside `node_modules`.
    exports: "./plugin.js",
    files: ["plugin.js"],
    keywords: ["planloom-plugin"],
    scripts: { test: "node --test", prepack: "esbuild plugin.ts --outfile=plugin.js" },
    peerDependencies: { "@planloom/plugin": `^${version}`, effect: "^4.1.0" },
    devDependencies: {
      "@planloom/plugin": `^${version}`,
      "@planloom/testing": `^${version}`,
      esbuild: "^0.28.0",
    },
  }
  return {
    "package.json": `${JSON.stringify(manifest, null, 2)}\n`,
    "plugin.ts": `/** The ${noun} ${name}. */\n${plugin}`,
    "plugin.test.ts": test,
    "README.md": `# ${name}

A ${noun} for [Planloom](https://www.npmjs.com/package/@planloom/cli): it ${does}.

${usage}
\`npm test\` runs the conformance suite. \`npm publish\` writes \`plugin.js\` and publishes it.
`,
  }
}

/** `be_polite` → `bePolite`. */
const variableOf = (name: string): string =>
  name.replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
