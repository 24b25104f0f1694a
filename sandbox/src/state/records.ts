import { SandboxError } from '../errors.ts';
import type { Reply } from '../http/messages.ts';
import { type KeyRecord, retentionMs } from './idempotency.ts';
import { type Ledger, ledgerLifetimeMs, readLedger } from './ledger.ts';
import { type AdmittedRun, createLiveRuns, hasClosed, type Run, runLifetimeMs } from './run.ts';
import { type Change, openStateFile, type Row, type StateFile } from './state-file.ts';

export type Claim = { slot: string; record: KeyRecord };

type Admission = { run: Run; replies: Readonly<Record<string, Reply>>; claim: Claim | undefined };

type Tables = { runs: Table<AdmittedRun>; answers: Table<Reply>; keys: Table<KeyRecord> };

/**
 * Runs, their replies and the keys they were sent with. A function that changes something does so as a whole or not at all. Reads
 * what an earlier process left in the file `db`, if there is one. Throws SandboxError when it cannot be used.
 */
export function openRecords(db: string | undefined, now: number) {
  const file = db === undefined ? undefined : openStateFile(db, ['runs', 'answers', 'keys']);
  const tables: Tables = {
    runs: openTable(file, 'runs'),
    answers: openTable(file, 'answers'),
    keys: openTable(file, 'keys'),
  };
  let isClosed = false;
  const opened = (): Tables => {
    if (isClosed) throw new SandboxError('the sandbox is closed');
    return tables;
  };
  const commit = (steps: readonly Step[]): void => {
    file?.save(steps);
    for (const step of steps) step.apply();
  };
  const found = [...tables.runs.each()];
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
      const { runs, answers, keys } = opened();
      const isDue = at >= forgetsAt;
      if (isDue) forgetsAt = at + forgetEveryMs;
      commit([
        ...(isDue ? forget(tables, at) : []),
        runs.put(run.id, run.submittedAt, run),
        ...Object.entries(replies).map(([id, reply]) => answers.put(id, at, reply)),
        ...(claim === undefined ? [] : [keys.put(claim.slot, at, claim.record)]),
      ]);
      if (!hasClosed(run, at)) live.put(run);
    },
    change: (run: AdmittedRun): void => {
      commit([opened().runs.put(run.id, run.submittedAt, run)]);
      live.put(run);
    },
    findRun: (id: string): AdmittedRun | undefined => opened().runs.get(id),
    findKey: (slot: string): KeyRecord | undefined => opened().keys.get(slot),
    findReply: (id: string): Reply | undefined => opened().answers.get(id),
    ledger: (at: number, atMost?: number): Ledger => readLedger(onPage(opened().runs.each(), page), at, atMost),
    /** Runs that were admitted before are no longer listed. */
    startLedgerPage: (): void => {
      page += 1;
    },
    clear: (): void => {
      commit(Object.values(opened()).flatMap((table) => table.removeBefore(Number.POSITIVE_INFINITY)));
      live.clear();
    },
    /** What is read or changed afterwards throws SandboxError. */
    close: (): void => {
      if (!isClosed) file?.close();
      isClosed = true;
    },
  };
}

function* onPage(runs: Iterable<AdmittedRun>, page: number): Iterable<AdmittedRun> {
  for (const run of runs) if (run.ledgerPage >= page) yield run;
}

const forgetEveryMs = 60_000;

/** Removes what has expired; readers check the age themselves, so this need not happen at once. */
function forget({ runs, answers, keys }: Tables, now: number): Step[] {
  return [
    ...keys.removeBefore(now - retentionMs),
    ...answers.removeBefore(now - Math.max(retentionMs, runLifetimeMs)),
    ...runs.removeBefore(now - ledgerLifetimeMs),
  ];
}

/** Values by id, in the order of admission. They are shared with readers, who never change them. */
type Table<Value extends object> = ReturnType<typeof openTable<Value>>;
/** A change, which takes effect once it is saved. */
type Step = Change & { apply(): void };

function openTable<Value extends object>(file: StateFile | undefined, table: string) {
  // Only `put` below wrote what is in the file, with values of this type.
  const rows = (file?.tables.get(table) ?? new Map()) as Map<string, Row<Value>>;
  return {
    get: (id: string) => rows.get(id)?.value,
    each: function* (): Iterable<Value> {
      for (const { value } of rows.values()) yield value;
    },
    put: (id: string, at: number, value: Value): Step => {
      const row = { at, value };
      return { table, id, row, apply: () => rows.set(id, row) };
    },
    removeBefore: (at: number) => {
      const steps: Step[] = [];
      for (const [id, row] of rows) {
        if (row.at >= at) break; // rows are in order of age
        steps.push({ table, id, row: undefined, apply: () => rows.delete(id) });
      }
      return steps;
    },
  };
}
