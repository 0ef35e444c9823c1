/** The tables of vectors in the file of an index. Without an embedder they are empty. */
export const vectorTableNames = ["embedding", "vectors", "codes", "embedded", "freed"] as const

/** An id is never given twice, so that a copy of the codes in memory stays true. */
export const vectorTables = `
CREATE TABLE embedding (
  one INTEGER PRIMARY KEY CHECK (one = 1), model TEXT NOT NULL, dimensions INTEGER NOT NULL,
  candidates INTEGER, recall REAL, measured INTEGER, unrelated REAL
);
CREATE TABLE vectors (id INTEGER PRIMARY KEY AUTOINCREMENT, hash TEXT NOT NULL UNIQUE, vector BLOB NOT NULL);
CREATE TABLE codes (id INTEGER PRIMARY KEY, code BLOB NOT NULL);
CREATE TABLE embedded (chunk INTEGER PRIMARY KEY, vector INTEGER NOT NULL);
CREATE INDEX embedded_by_vector ON embedded (vector);
CREATE TABLE freed (vector INTEGER PRIMARY KEY);`
