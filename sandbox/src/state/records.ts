import { SandboxError } from '../errors.ts';
import type { Reply } from '../http/messages.ts';
import { type KeyRecord, retentionMs } from './idempotency.ts';
import { type Ledger, ledgerLifetimeMs, readLedger } from './ledger.ts';
import { type AdmittedRun, createLiveRuns, hasClosed, type Run, runLifetimeMs } from './run.ts';
import { type Change, openStateFile, type Row } from './state-file.ts';

export type Claim = { slot: string; record: KeyRecord };

type Admission = { run: Run; replies: Readonly<Record<string, Reply>>; claim: Claim | undefined };

/** Rows by id, in the order of admission. Values are shared with readers, who never change them. */
type Tables = {
  runs: Map<string, Row<AdmittedRun>>;
  answers: Map<string, Row<Reply>>;
  keys: Map<string, Row<KeyRecord>>;
};
type TableChange = Change & { table: keyof Tables };

/**
 * Runs, their replies and the keys they were sent with. A function that changes something does so as a whole or not at all. Reads
 * what an earlier process left in the file `db`, if there is one. Throws SandboxError when it cannot be used.
 */
export function openRecords(db: string | undefined, now: number) {
  const names = ['runs', 'answers', 'keys'];
  const file = db === undefined ? undefined : openStateFile(db, names);
  // Only `commit` below wrote what is in the file, with values of these types.
  const tables = (file?.tables ?? Object.fromEntries(names.map((name) => [name, new Map()]))) as Tables;
  const sizes = measureTables(tables);
  let isClosed = false;
  const opened = (): Tables => {
    if (isClosed) throw new SandboxError('the sandbox is closed');
    return tables;
  };
  const commit = (changes: readonly TableChange[]): void => {
    const kept = opened();
    file?.save(changes);
    for (const { table, id, row } of changes) {
      const rows: Map<string, Row<object>> = kept[table];
      sizes.bytes += measureRow(row) - measureRow(rows.get(id));
      if (row === undefined) rows.delete(id);
      else rows.set(id, row);
    }
  };
  const found = [...tables.runs.values()].map(({ value }) => value);
  const live = createLiveRuns(found.filter((run) => !hasClosed(run, now)));
  let page = found.reduce((last, { ledgerPage }) => Math.max(last, ledgerPage), 0);
  let forgetsAt = now;
  return {
    live,
    /** When the newest run that was found in the file had been admitted, or 0 (ms). */
    foundUpTo: found.reduce((last, { submittedAt }) => Math.max(last, submittedAt), 0),
    /** A run with all that is needed of it later; it is dispatched only after this returns. */
    admit: ({ run: admitted, replies, claim }: Admission, at: number): void => {
      const run = { ...admitted, ledgerPage: page };
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
    /** True if the records hold so much together that no further run may be admitted; what has expired is removed first. */
    isFull: (at: number): boolean => {
      if (sizes.bytes > mostBytes) commit(forget(opened(), at));
      return sizes.bytes > mostBytes;
    },
    change: (run: AdmittedRun): void => {
      commit([{ table: 'runs', id: run.id, row: { at: run.submittedAt, value: run } }]);
      live.put(run);
    },
    findRun: (id: string): AdmittedRun | undefined => opened().runs.get(id)?.value,
    findKey: (slot: string): KeyRecord | undefined => opened().keys.get(slot)?.value,
    findReply: (id: string): Reply | undefined => opened().answers.get(id)?.value,
    ledger: (at: number, atMost?: number): Ledger => readLedger(onPage(opened().runs, page), at, atMost),
    /** Runs that were admitted before are no longer listed. */
    startLedgerPage: (): void => {
      page += 1;
    },
    clear: (): void => {
      commit(forget(tables, Number.POSITIVE_INFINITY));
      live.clear();
    },
    /** Later reads and changes throw SandboxError. */
    close: (): void => {
      if (!isClosed) file?.close();
      isClosed = true;
    },
  };
}

/** Maximum size of all rows together: a request of a few bytes may keep a result of a megabyte for a day. */
const mostBytes = 256 * 1024 * 1024;
const bytesOfRow = 1_000;

function measureRow(row: Row<object> | undefined): number {
  if (row === undefined) return 0;
  const { body }: Partial<Reply> = row.value;
  return bytesOfRow + (body?.length ?? 0);
}

function measureTables(tables: Tables): { bytes: number } {
  let bytes = 0;
  for (const rows of Object.values(tables)) for (const row of rows.values()) bytes += measureRow(row);
  return { bytes };
}

function* onPage(runs: Tables['runs'], page: number): Iterable<AdmittedRun> {
  for (const { value } of runs.values()) if (value.ledgerPage >= page) yield value;
}

const forgetEveryMs = 60_000;

/** Removes what has expired; readers check the age themselves, so this need not happen at once. */
function forget(tables: Tables, now: number): TableChange[] {
  return [
    ...removeBefore(tables, 'keys', now - retentionMs),
    ...removeBefore(tables, 'answers', now - Math.max(retentionMs, runLifetimeMs)),
    ...removeBefore(tables, 'runs', now - ledgerLifetimeMs),
  ];
}

function removeBefore(tables: Tables, table: keyof Tables, at: number): TableChange[] {
  const changes: TableChange[] = [];
  for (const [id, row] of tables[table]) {
    if (row.at >= at) break; // rows are in order of age
    changes.push({ table, id, row: undefined });
  }
  return changes;
}
