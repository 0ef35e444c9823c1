/** Words for the inside of a workflow that no user needs, by the languages of the engine's own texts. */

/** Lower case, without accents; in any form: "scores", "faceted". What also has an everyday sense, such as "field", is left out. */
export const technicalWords: ReadonlyArray<string> = [
  "api argument array backend boolean cel column cosine csv database embedding endpoint enum facet fulltext http id ids index " +
    "integer iteration json llm metadata null param parameter payload pipeline prompt query regex rerank row schema score " +
    "semantic similarity sql stacktrace string subagent substring syntax table threshold timeout uuid vector workflow yaml",
  "argumento columna esquema fila indice iteracion parametro puntuacion tabla umbral vectorial",
].flatMap((words) => words.split(" "))
