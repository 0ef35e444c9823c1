/** A plugin that is known by its manifest alone: its kinds and schemas count, its code has not run. */
import * as Effect from "effect/Effect"
import {
  definePlugin,
  StageFailed,
  type Manifest,
  type Plugin,
  type SectionKind,
  type SectionOwner,
  type StageKind,
} from "@planloom/plugin/effect"

const declared = new WeakSet<object>()

/** Whether code that gives this section a meaning has not been loaded. */
export const isDeclared = (section: SectionKind): boolean => declared.has(section)

export const declaredPlugin = (name: string, { contributes }: Manifest): Plugin => {
  const { components = {}, events, fileKinds, sections = {} } = contributes
  const { stages = {}, ...others } = components
  return definePlugin({
    id: name,
    summary: `What ${name} declares in its package.json.`,
    components: {
      ...(fileKinds === undefined ? {} : { fileKinds }),
      ...(events === undefined ? {} : { events }),
      sections: Object.entries(sections).flatMap(([on, byKey]) =>
        Object.entries(byKey).map(([key, given]) => {
          const section: SectionKind = { on: on as SectionOwner, key, ...given }
          declared.add(section)
          return section
        }),
      ),
      stages: Object.entries(stages).map(
        ([id, { input = true, output = true, streams, summary = id }]): StageKind => ({
          id,
          summary,
          input,
          output,
          ...(streams === undefined ? {} : { streams }),
          run: () =>
            Effect.fail(
              new StageFailed({
                class: "internal",
                message: `the plugin "${name}" of stage kind "${id}" has not been loaded`,
              }),
            ),
        }),
      ),
    },
    provides: Object.fromEntries(
      Object.entries(others).map(([kind, byId]) => [
        kind,
        Object.entries(byId).map(([id, { tools }]) =>
          kind === "tools" && tools !== undefined ? { id, tools } : id,
        ),
      ]),
    ),
  })
}
