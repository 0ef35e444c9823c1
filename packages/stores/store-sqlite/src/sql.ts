/** All statements of the store, in SQL of SQLite; placeholders are positional. */

/** Stores rows in key order in one tree instead of two: half the pages per commit. SQLite's syntax. */
const keyed = " WITHOUT ROWID"

/**
 * Forward only: a version is never changed once released, a new one is added at the end. `runs.id` is
 * the number by which the other tables refer to a run; times are epoch milliseconds; bodies are JSON.
 */
export const migrations: ReadonlyArray<ReadonlyArray<string>> = [
  [
    `CREATE TABLE runs (
      id INTEGER PRIMARY KEY,
      run TEXT NOT NULL UNIQUE,
      workflow TEXT NOT NULL,
      status TEXT NOT NULL,
      inputs TEXT NOT NULL,
      definition TEXT,
      epoch INTEGER NOT NULL,
      started_at BIGINT NOT NULL,
      finished_at BIGINT,
      owner TEXT,
      seen_at BIGINT
    )`,
    `CREATE TABLE steps (
      run INTEGER NOT NULL,
      name TEXT NOT NULL,
      at BIGINT NOT NULL,
      ok INTEGER NOT NULL,
      body TEXT,
      blob TEXT,
      PRIMARY KEY (run, name)
    )${keyed}`,
    // One row per write of events; `first` and `last` are sequence numbers.
    `CREATE TABLE events (
      run INTEGER NOT NULL,
      first INTEGER NOT NULL,
      last INTEGER NOT NULL,
      body TEXT,
      blob TEXT,
      PRIMARY KEY (run, first)
    )${keyed}`,
    `CREATE TABLE signals (
      run INTEGER NOT NULL,
      name TEXT NOT NULL,
      at BIGINT NOT NULL,
      body TEXT NOT NULL,
      PRIMARY KEY (run, name)
    )${keyed}`,
    `CREATE TABLE timers (
      run INTEGER NOT NULL,
      name TEXT NOT NULL,
      until BIGINT NOT NULL,
      PRIMARY KEY (run, name)
    )${keyed}`,
    `CREATE TABLE blobs (hash TEXT PRIMARY KEY, body TEXT NOT NULL)`,
    `CREATE TABLE blob_uses (
      run INTEGER NOT NULL,
      hash TEXT NOT NULL,
      PRIMARY KEY (run, hash)
    )${keyed}`,
    `CREATE INDEX blob_uses_by_hash ON blob_uses (hash)`,
  ],
  [
    `DROP TABLE signals`,
    // A question and its answer. \`held\` is the epoch at whose end the run waited for the answer.
    `CREATE TABLE waits (
      run INTEGER NOT NULL,
      name TEXT NOT NULL,
      at BIGINT NOT NULL,
      body TEXT NOT NULL,
      expires_at BIGINT,
      held INTEGER,
      answer TEXT,
      answered_by TEXT,
      answered_at BIGINT,
      PRIMARY KEY (run, name)
    )${keyed}`,
    `CREATE INDEX open_waits ON waits (at) WHERE answer IS NULL`,
  ],
  [
    // The failure class of a failed run.
    `ALTER TABLE runs ADD COLUMN failure TEXT`,
    // Cancel requests until the run ends. Owners poll this small table.
    `CREATE TABLE cancels (run INTEGER PRIMARY KEY, body TEXT NOT NULL)`,
  ],
  [
    // Body: turns and state. `run` is the id of the last saved run, which may be recorded elsewhere.
    `CREATE TABLE sessions (
      session TEXT PRIMARY KEY,
      workflow TEXT NOT NULL,
      version INTEGER NOT NULL,
      body TEXT NOT NULL,
      run TEXT NOT NULL,
      updated_at BIGINT NOT NULL
    )${keyed}`,
    `CREATE TABLE session_runs (run INTEGER PRIMARY KEY, session TEXT NOT NULL, version INTEGER)`,
    `CREATE INDEX session_runs_by_session ON session_runs (session)`,
  ],
  // No change of tables: from here on event bodies are packed, which earlier versions cannot read.
  [],
  [
    // How many owners in a row fell silent without a new step, and the number of steps at the last of them.
    `ALTER TABLE runs ADD COLUMN taken INTEGER NOT NULL DEFAULT 0`,
    `ALTER TABLE runs ADD COLUMN taken_with INTEGER NOT NULL DEFAULT 0`,
  ],
  [
    // The run it was forked from.
    `ALTER TABLE runs ADD COLUMN origin TEXT`,
    `CREATE INDEX forks ON runs (id) WHERE origin IS NOT NULL`,
  ],
  [
    // A counter that a live owner increments, instead of a time of its clock. Earlier owners have none.
    `ALTER TABLE runs RENAME COLUMN seen_at TO heartbeat`,
    `UPDATE runs SET owner = NULL, heartbeat = 0`,
  ],
  // Finds due runs and the backlog without reading ended runs.
  [`CREATE INDEX unfinished_runs ON runs (id, status) WHERE finished_at IS NULL`],
  // Digest of the id of the user that the run is for.
  [`ALTER TABLE runs ADD COLUMN user_digest TEXT`],
  [
    // Values that plugins keep. The id orders entries by their last write.
    `CREATE TABLE collections (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      name TEXT NOT NULL,
      key TEXT NOT NULL,
      version INTEGER NOT NULL,
      body TEXT NOT NULL,
      state TEXT,
      at BIGINT NOT NULL,
      expires_at BIGINT,
      claimed_by TEXT,
      claimed_until BIGINT NOT NULL DEFAULT 0
    )`,
    `CREATE UNIQUE INDEX collections_by_key ON collections (name, key)`,
    `CREATE INDEX collections_by_state ON collections (name, state, id)`,
    `CREATE INDEX collections_by_expiry ON collections (name, expires_at) WHERE expires_at IS NOT NULL`,
  ],
  [
    // How long the reviews of a turn take at most, and the version of the session that they saw.
    `ALTER TABLE session_runs ADD COLUMN review_ms INTEGER`,
    `ALTER TABLE session_runs ADD COLUMN review_version INTEGER`,
    `CREATE INDEX announced_turns ON session_runs (session) WHERE review_ms IS NOT NULL AND version IS NULL`,
  ],
  // Digests of personal inputs as JSON; null without any.
  [`ALTER TABLE runs ADD COLUMN personal TEXT`],
  [
    // Why an owner ended because of the run, and the run's number of steps then.
    `ALTER TABLE runs ADD COLUMN suspicion TEXT`,
    `ALTER TABLE runs ADD COLUMN suspicion_with INTEGER`,
  ],
  // The API key, user or program that an answer came through.
  [`ALTER TABLE waits ADD COLUMN answered_via TEXT`],
]

export const version = {
  table: `CREATE TABLE IF NOT EXISTS planloom_schema (version INTEGER NOT NULL)`,
  read: `SELECT version FROM planloom_schema`,
  clear: `DELETE FROM planloom_schema`,
  write: `INSERT INTO planloom_schema (version) VALUES (?)`,
}

/** True only for the newest epoch: a fenced-off process changes nothing. */
const isCurrentEpoch = `EXISTS (SELECT 1 FROM runs WHERE id = ? AND epoch = ?)`

const stepCount = `(SELECT COUNT(*) FROM steps WHERE steps.run = runs.id)`

/**
 * Owners in a row that fell silent, each without a new step after the one before it. Counts steps only for runs that such
 * an owner had.
 */
const taken = `CASE WHEN taken = 0 THEN 0 WHEN taken_with = ${stepCount} THEN taken ELSE 0 END`

const record = `SELECT id, run, workflow, status, inputs, definition, epoch, started_at, finished_at, owner, heartbeat, failure, user_digest,
  ${taken} AS taken, CASE WHEN suspicion IS NULL THEN NULL WHEN suspicion_with = ${stepCount} THEN suspicion END AS suspicion,
  (SELECT session FROM session_runs WHERE session_runs.run = runs.id) AS session FROM runs`

export const runs = {
  /** Inserts only if the definition is stored, so that it cannot be removed in between. */
  insert: `INSERT INTO runs (run, workflow, status, inputs, definition, epoch, started_at, user_digest, personal, owner, heartbeat)
    SELECT ?, ?, 'running', ?, ?, 1, ?, ?, ?, ?, 0 WHERE ? IS NULL OR EXISTS (SELECT 1 FROM blobs WHERE hash = ?)
    ON CONFLICT (run) DO NOTHING`,
  /** An owner that takes its own run over again did not fall silent. */
  takeOver: `UPDATE runs SET epoch = epoch + 1, status = 'running', finished_at = NULL, failure = NULL,
    taken = CASE WHEN owner = ? THEN 0 WHEN owner IS NULL THEN ${taken} ELSE ${taken} + 1 END,
    taken_with = ${stepCount}, owner = ?, heartbeat = COALESCE(heartbeat, 0) + 1
    WHERE run = ? AND (? IS NULL OR epoch = ?) RETURNING id, epoch, taken_with AS steps`,
  one: `${record} WHERE run = ?`,
  /** Cheaper than the whole record. */
  key: `SELECT id, definition FROM runs WHERE run = ?`,
  personal: `SELECT personal FROM runs WHERE run = ?`,
  personalOf: `SELECT id, run, personal FROM runs WHERE user_digest = ? AND personal IS NOT NULL ORDER BY id`,
  ofUser: `${record} WHERE user_digest = ? ORDER BY id`,
  setPersonal: `UPDATE runs SET personal = ? WHERE id = ?`,
  list: `${record} WHERE (? IS NULL OR status = ?) AND (? IS NULL OR workflow = ?)
    AND started_at >= ? AND started_at < ? AND (? IS NULL OR failure = ?)
    AND (? IS NULL OR id IN (SELECT run FROM session_runs WHERE session = ?))
    AND (? IS NULL OR user_digest = ?) ORDER BY id DESC LIMIT ?`,
  ended: `SELECT id, run FROM runs WHERE finished_at IS NOT NULL AND finished_at < ?`,
  beyond: `SELECT id, run FROM runs WHERE finished_at IS NOT NULL AND id NOT IN (SELECT id FROM runs ORDER BY id DESC LIMIT ?)`,
  end: `UPDATE runs SET status = ?, finished_at = ?, failure = ?, owner = NULL, taken = 0, suspicion = NULL WHERE id = ? AND epoch = ?`,
  suspend: `UPDATE runs SET status = ?, owner = NULL, taken = 0, suspicion = NULL WHERE id = ? AND epoch = ?`,
  due: `${record} WHERE finished_at IS NULL AND id > ? AND (status = 'running' OR EXISTS (SELECT 1 FROM waits
    WHERE waits.run = runs.id AND held = epoch AND (answer IS NOT NULL OR expires_at <= ?))) ORDER BY id LIMIT ?`,
  backlog: `SELECT COUNT(*) AS count FROM (SELECT 1 FROM runs WHERE finished_at IS NULL AND status = 'running' LIMIT ?)`,
  unfinished: `SELECT CASE WHEN status <> 'running' THEN status WHEN owner IS NULL THEN 'queued' ELSE 'active' END AS state,
    COUNT(*) AS count FROM runs WHERE finished_at IS NULL GROUP BY state`,
  release: `UPDATE runs SET owner = NULL, taken = 0, suspicion = NULL WHERE id = ? AND epoch = ?`,
  reset: `UPDATE runs SET epoch = epoch + 1, status = 'running', finished_at = NULL, failure = NULL, owner = NULL,
    taken = 0, suspicion = NULL, definition = COALESCE(?, definition) WHERE id = ?`,
  blame: `UPDATE runs SET suspicion = ?, suspicion_with = ${stepCount} WHERE run = ? AND owner = ?`,
  /** Releases the other runs of an owner, which count what they counted before. */
  acquit: `UPDATE runs SET owner = NULL WHERE owner = ? AND (? IS NULL OR run <> ?)`,
  /** Newest first: a fork of a fork comes before its origin. */
  forks: `SELECT forks.id AS id, origins.id AS origin FROM runs AS forks JOIN runs AS origins ON origins.run = forks.origin
    WHERE forks.origin IS NOT NULL ORDER BY forks.id DESC`,
  write: `INSERT INTO runs (run, workflow, status, inputs, definition, epoch, started_at, finished_at, failure, origin, user_digest, personal)
    VALUES (?, ?, ?, ?, ?, 1, ?, ?, ?, ?, ?, ?) ON CONFLICT (run) DO NOTHING RETURNING id`,
  heartbeat: `UPDATE runs SET heartbeat = heartbeat + 1 WHERE owner = ?`,
  owner: `SELECT id, owner, heartbeat FROM runs WHERE id = ?`,
  ownerOf: `SELECT id, epoch, owner, heartbeat FROM runs WHERE run = ?`,
}

export const steps = {
  one: `SELECT ok, body, blob FROM steps WHERE run = ? AND name = ?`,
  /** The step if it is recorded, and the epoch that may record it. */
  held: `SELECT epoch, ok, body, blob FROM runs LEFT JOIN steps ON steps.run = runs.id AND steps.name = ? WHERE runs.id = ?`,
  all: `SELECT name, at, ok, body, blob FROM steps WHERE run = ? ORDER BY at, name`,
  names: `SELECT name FROM steps WHERE run = ?`,
  drop: `DELETE FROM steps WHERE run = ? AND name = ?`,
  write: `INSERT INTO steps (run, name, at, ok, body, blob) VALUES (?, ?, ?, ?, ?, ?)`,
  insert: `INSERT INTO steps (run, name, at, ok, body, blob) SELECT ?, ?, ?, ?, ?, ? WHERE ${isCurrentEpoch}`,
}

export const cancels = {
  ask: `INSERT INTO cancels (run, body) VALUES (?, ?) ON CONFLICT (run) DO UPDATE SET body = excluded.body`,
  all: `SELECT run, body FROM cancels`,
  one: `SELECT body FROM cancels WHERE run = ?`,
  done: `DELETE FROM cancels WHERE run = ?`,
}

export const events = {
  from: `SELECT body, blob FROM events WHERE run = ? AND last >= ? ORDER BY first`,
  all: `SELECT first, body, blob FROM events WHERE run = ?`,
  rewrite: `UPDATE events SET body = ?, blob = ? WHERE run = ? AND first = ?`,
  last: `SELECT MAX(last) AS last FROM events WHERE run = ?`,
  write: `INSERT INTO events (run, first, last, body, blob) VALUES (?, ?, ?, ?, ?)`,
  insert: `INSERT INTO events (run, first, last, body, blob) SELECT ?, ?, ?, ?, ? WHERE ${isCurrentEpoch}`,
}

export const waits = {
  one: `SELECT body, expires_at, answer, answered_by, answered_at, answered_via FROM waits WHERE run = ? AND name = ?`,
  insert: `INSERT INTO waits (run, name, at, body, expires_at) SELECT ?, ?, ?, ?, ? WHERE ${isCurrentEpoch}`,
  /** Only the first answer is recorded. */
  answer: `UPDATE waits SET answer = ?, answered_by = ?, answered_at = ?, answered_via = ? WHERE run = ? AND name = ? AND answer IS NULL`,
  names: `SELECT name FROM waits WHERE run = ?`,
  drop: `DELETE FROM waits WHERE run = ? AND name = ?`,
  all: `SELECT body, at, answer, answered_by, answered_at, answered_via FROM waits WHERE run = ? ORDER BY at, name`,
  write: `INSERT INTO waits (run, name, at, body, expires_at, answer, answered_by, answered_at, answered_via) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  hold: `UPDATE waits SET held = ? WHERE run = ? AND name = ?`,
  answered: `SELECT 1 AS answered FROM waits WHERE run = ? AND held = ? AND answer IS NOT NULL LIMIT 1`,
  open: `SELECT runs.run AS run, workflow, at, body FROM waits JOIN runs ON runs.id = waits.run
    WHERE answer IS NULL AND finished_at IS NULL AND (expires_at IS NULL OR expires_at > ?)
    AND (? IS NULL OR runs.run = ?) AND (? IS NULL OR workflow = ?)
    AND (? IS NULL OR user_digest = ?) ORDER BY at, waits.run, name`,
}

/** `session_runs.version` is the session version that the run saved; null before. */
export const sessions = {
  join: `INSERT INTO session_runs (run, session) VALUES (?, ?) ON CONFLICT (run) DO NOTHING`,
  one: `SELECT session, workflow, version, body, run, updated_at FROM sessions WHERE session = ?`,
  ofRun: `SELECT session FROM session_runs WHERE run = ?`,
  list: `SELECT session, workflow, version, body, run, updated_at FROM sessions
    WHERE ? IS NULL OR EXISTS (SELECT 1 FROM json_each(body, '$.userDigests') WHERE value = ?)
    ORDER BY updated_at DESC, session LIMIT ?`,
  waiting: `SELECT runs.run AS run FROM session_runs JOIN runs ON runs.id = session_runs.run
    WHERE session = ? AND status IN ('suspended', 'clarification') AND finished_at IS NULL ORDER BY id LIMIT 1`,
  /** Turns that are announced, and that no other run has overtaken. */
  announced: `SELECT runs.id AS id, runs.run AS run, epoch, owner, heartbeat, review_ms, review_version FROM session_runs
    JOIN runs ON runs.id = session_runs.run WHERE session = ? AND review_ms IS NOT NULL AND version IS NULL
    AND finished_at IS NULL
    AND review_version = COALESCE((SELECT version FROM sessions WHERE sessions.session = session_runs.session), 0)
    ORDER BY id`,
  announce: `UPDATE session_runs SET review_ms = ?, review_version = ? WHERE session = ?
    AND run = (SELECT id FROM runs WHERE run = ? AND epoch = ?)`,
  runOf: `SELECT id, epoch, version FROM runs LEFT JOIN session_runs ON session_runs.run = runs.id WHERE runs.run = ?`,
  save: `INSERT INTO sessions (session, workflow, version, body, run, updated_at) VALUES (?, ?, ?, ?, ?, ?)
    ON CONFLICT (session) DO UPDATE SET workflow = excluded.workflow, version = excluded.version, body = excluded.body,
    run = excluded.run, updated_at = excluded.updated_at`,
  kept: `INSERT INTO session_runs (run, session, version) VALUES (?, ?, ?)
    ON CONFLICT (run) DO UPDATE SET version = excluded.version`,
  clear: `DELETE FROM sessions WHERE session = ?`,
  prune: `DELETE FROM sessions WHERE updated_at < ? AND session NOT IN (SELECT session FROM session_runs
    JOIN runs ON runs.id = session_runs.run WHERE finished_at IS NULL) RETURNING session`,
}

const entry = `key, version, body, state, at, expires_at`
const isLive = `(expires_at IS NULL OR expires_at > ?)`

export const collections = {
  one: `SELECT ${entry} FROM collections WHERE name = ? AND key = ? AND ${isLive}`,
  list: `SELECT ${entry} FROM collections WHERE name = ? AND ${isLive} AND key > ?
    AND substr(key, 1, ?) = ? AND (? = '' OR state = ?) ORDER BY key LIMIT ?`,
  next: `SELECT ${entry} FROM collections WHERE name = ? AND state = ? AND ${isLive} AND claimed_until <= ?
    ORDER BY id LIMIT 1`,
  claim: `UPDATE collections SET claimed_by = ?, claimed_until = ? WHERE name = ? AND key = ?`,
  expire: `DELETE FROM collections WHERE name = ? AND expires_at <= ?`,
  drop: `DELETE FROM collections WHERE name = ? AND key = ?`,
  insert: `INSERT INTO collections (name, key, version, body, state, at, expires_at) VALUES (?, ?, ?, ?, ?, ?, ?)`,
}

export const timers = {
  one: `SELECT until FROM timers WHERE run = ? AND name = ?`,
  all: `SELECT name, until FROM timers WHERE run = ?`,
  drop: `DELETE FROM timers WHERE run = ? AND name = ?`,
  write: `INSERT INTO timers (run, name, until) VALUES (?, ?, ?)`,
  insert: `INSERT INTO timers (run, name, until) SELECT ?, ?, ? WHERE ${isCurrentEpoch}`,
}

export const blobs = {
  one: `SELECT body FROM blobs WHERE hash = ?`,
  known: `SELECT 1 AS known FROM blobs WHERE hash = ?`,
  insert: `INSERT INTO blobs (hash, body) VALUES (?, ?) ON CONFLICT (hash) DO NOTHING`,
  use: `INSERT INTO blob_uses (run, hash) VALUES (?, ?) ON CONFLICT (run, hash) DO NOTHING`,
  collect: `DELETE FROM blobs WHERE hash NOT IN (SELECT hash FROM blob_uses)
    AND hash NOT IN (SELECT definition FROM runs WHERE definition IS NOT NULL)`,
}

/** Deletes everything of a run, then the run. */
export const deleteRun: ReadonlyArray<string> = [
  `DELETE FROM steps WHERE run = ?`,
  `DELETE FROM events WHERE run = ?`,
  `DELETE FROM waits WHERE run = ?`,
  `DELETE FROM timers WHERE run = ?`,
  `DELETE FROM cancels WHERE run = ?`,
  `DELETE FROM session_runs WHERE run = ?`,
  `DELETE FROM blob_uses WHERE run = ?`,
  `DELETE FROM runs WHERE id = ?`,
]
