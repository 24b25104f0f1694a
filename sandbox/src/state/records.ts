import { SandboxError } from '../errors.ts';
import type { Reply } from '../http/messages.ts';
import { hasClosed, type Ledger, LiveRuns, ledgerLifetimeMs, type Run, readLedger, runLifetimeMs } from './run.ts';
import { type Change, openStateFile, type Row } from './state-file.ts';

/** Why a record cannot be replayed (MR-IDM-28 to MR-IDM-30). `lost`: the provider returned no id with which the result can be fetched. */
export type Unreplayable = 'oversized' | 'unsafe-asset' | 'failed-write' | 'lost';

/** The first accepted call of a key. The caller waits until `releasedAt`; the provider finishes at `endsAt` (MR-IDM-47). */
export type KeyRecord = {
  fingerprint: string;
  firstAcceptedAt: number;
  runId: string;
  answerId: string;
  releasedAt: number;
  endsAt: number;
  unreplayable: Unreplayable | undefined;
};

export const retentionMs = 24 * 60 * 60 * 1000;

export type Claim = { slot: string; record: KeyRecord };

type Admission = { run: Run; replies: Readonly<Record<string, Reply>>; claim: Claim | undefined };

/** Rows by id, in order of admission. Readers must not change the shared values. */
type Tables = {
  runs: Map<string, Row<Run>>;
  answers: Map<string, Row<Reply>>;
  keys: Map<string, Row<KeyRecord>>;
};
type TableChange = Change & { table: keyof Tables };

/** Runs, their replies and their keys. Each change is atomic. */
export type Records = {
  readonly live: LiveRuns;
  /** Admission time of the newest run in the database file (ms), or 0. */
  readonly foundUpTo: number;
  /** Records a run. Must be called before the run is dispatched. */
  admit(admission: Admission, now: number): void;
  /** Removes expired records. Returns true if the remaining ones are too large to admit another run. */
  isFull(now: number): boolean;
  change(run: Run): void;
  findRun(id: string): Run | undefined;
  findKey(slot: string): KeyRecord | undefined;
  findReply(id: string): Reply | undefined;
  ledger(now: number, atMost?: number): Ledger;
  clear(): void;
  /** Closes the file. Later reads and changes throw SandboxError. */
  close(): void;
};

/** Reads records of an earlier process from the file `db`, if given. Throws SandboxError if it is unusable. */
export function openRecords(db: string | undefined, now: number): Records {
  const names = ['runs', 'answers', 'keys'];
  const file = db === undefined ? undefined : openStateFile(db, names);
  // Every row in the file was written by `commit` below, so the values have these types.
  const tables = (file?.tables ?? Object.fromEntries(names.map((name) => [name, new Map()]))) as Tables;
  const sizes = { bytes: 0 };
  for (const rows of Object.values(tables)) for (const row of rows.values()) sizes.bytes += measureRow(row);
  let isClosed = false;
  const opened = (): Tables => {
    if (isClosed) throw new SandboxError('the sandbox is closed');
    return tables;
  };
  const commit = (changes: readonly TableChange[]): void => {
    const openTables = opened();
    file?.save(changes);
    for (const { table, id, row } of changes) {
      const rows: Map<string, Row<object>> = openTables[table];
      sizes.bytes += measureRow(row) - measureRow(rows.get(id));
      if (row === undefined) rows.delete(id);
      else rows.set(id, row);
    }
  };
  const savedRuns = [...tables.runs.values()].map(({ value }) => value);
  const live = new LiveRuns();
  for (const run of savedRuns) if (!hasClosed(run, now)) live.put(run);
  let forgetsAt = now;
  return {
    live,
    foundUpTo: savedRuns.reduce((last, { submittedAt }) => Math.max(last, submittedAt), 0),
    admit: ({ run, replies, claim }, at) => {
      const isDue = at >= forgetsAt;
      if (isDue) forgetsAt = at + forgetEveryMs;
      commit([
        ...(isDue ? forget(tables, at) : []),
        { table: 'runs', id: run.id, row: { at: run.submittedAt, value: run } },
        ...Object.entries(replies).map(([id, value]) => ({ table: 'answers' as const, id, row: { at, value } })),
        ...(claim === undefined ? [] : [{ table: 'keys', id: claim.slot, row: { at, value: claim.record } } as const]),
      ]);
      if (!hasClosed(run, at)) live.put(run);
    },
    isFull: (at) => {
      if (sizes.bytes > maxBytes) commit(forget(opened(), at));
      return sizes.bytes > maxBytes;
    },
    change: (run) => {
      commit([{ table: 'runs', id: run.id, row: { at: run.submittedAt, value: run } }]);
      live.put(run);
    },
    findRun: (id) => opened().runs.get(id)?.value,
    findKey: (slot) => opened().keys.get(slot)?.value,
    findReply: (id) => opened().answers.get(id)?.value,
    ledger: (at, atMost) => readLedger(listRuns(opened().runs), at, atMost),
    clear: () => {
      commit(forget(tables, Number.POSITIVE_INFINITY));
      live.clear();
    },
    close: () => {
      if (!isClosed) file?.close();
      isClosed = true;
    },
  };
}

/** Maximum size of all rows together. Limited, because a small request may keep a result of a megabyte for a day. */
const maxBytes = 256 * 1024 * 1024;
const bytesOfRow = 1_000;

function measureRow(row: Row<object> | undefined): number {
  if (row === undefined) return 0;
  const { body }: Partial<Reply> = row.value;
  return bytesOfRow + (body?.length ?? 0);
}

function* listRuns(runs: Tables['runs']): Iterable<Run> {
  for (const { value } of runs.values()) yield value;
}

const forgetEveryMs = 60_000;

/** Removes expired rows. This may happen late, because readers check the age of a row themselves. */
function forget(tables: Tables, now: number): TableChange[] {
  const oldest = { keys: retentionMs, answers: Math.max(retentionMs, runLifetimeMs), runs: ledgerLifetimeMs };
  const changes: TableChange[] = [];
  for (const table of ['keys', 'answers', 'runs'] as const)
    for (const [id, row] of tables[table]) {
      if (row.at >= now - oldest[table]) break; // Rows are sorted by age.
      changes.push({ table, id, row: undefined });
    }
  return changes;
}
