/** The tables. Money is in integer minor units (cents), rates are in millionths. */
export const schema = `
CREATE TABLE customers (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  monthly_limit INTEGER NOT NULL CHECK (monthly_limit >= 0),
  credit_limit INTEGER NOT NULL CHECK (credit_limit >= 0),
  credit_used INTEGER NOT NULL CHECK (credit_used >= 0)
) STRICT;

CREATE TABLE rates (
  source TEXT NOT NULL,
  target TEXT NOT NULL,
  rate INTEGER NOT NULL CHECK (rate > 0),
  average_30_days INTEGER NOT NULL CHECK (average_30_days > 0),
  at TEXT NOT NULL,
  PRIMARY KEY (source, target)
) STRICT;

CREATE TABLE promotions (
  id TEXT PRIMARY KEY,
  target TEXT NOT NULL,
  fee_percent_off INTEGER NOT NULL CHECK (fee_percent_off BETWEEN 1 AND 100),
  text_en TEXT NOT NULL,
  text_es TEXT NOT NULL
) STRICT;

CREATE TABLE recipients (
  id INTEGER PRIMARY KEY,
  customer TEXT NOT NULL REFERENCES customers (id),
  name TEXT NOT NULL,
  country TEXT NOT NULL,
  currency TEXT NOT NULL,
  account TEXT NOT NULL,
  UNIQUE (customer, account)
) STRICT;

CREATE TABLE quotes (
  id INTEGER PRIMARY KEY,
  customer TEXT NOT NULL REFERENCES customers (id),
  key TEXT NOT NULL UNIQUE,
  source TEXT NOT NULL,
  target TEXT NOT NULL,
  send INTEGER NOT NULL CHECK (send > 0),
  fee INTEGER NOT NULL CHECK (fee >= 0),
  receive INTEGER NOT NULL CHECK (receive > 0),
  rate INTEGER NOT NULL CHECK (rate > 0),
  promotion TEXT REFERENCES promotions (id),
  expires_at INTEGER NOT NULL
) STRICT;

CREATE TABLE transfers (
  id INTEGER PRIMARY KEY,
  customer TEXT NOT NULL REFERENCES customers (id),
  quote INTEGER NOT NULL UNIQUE REFERENCES quotes (id),
  recipient INTEGER NOT NULL REFERENCES recipients (id),
  created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE limit_requests (
  id INTEGER PRIMARY KEY,
  customer TEXT NOT NULL REFERENCES customers (id),
  key TEXT NOT NULL UNIQUE,
  monthly_limit INTEGER NOT NULL CHECK (monthly_limit > 0),
  reason TEXT NOT NULL
) STRICT;

CREATE TABLE tickets (
  id INTEGER PRIMARY KEY,
  customer TEXT NOT NULL REFERENCES customers (id),
  key TEXT NOT NULL UNIQUE,
  kind TEXT NOT NULL CHECK (kind IN ('ticket', 'hand_over')),
  topic TEXT NOT NULL,
  summary TEXT NOT NULL
) STRICT;
`
