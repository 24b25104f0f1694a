import type { Reply } from '../http/handler.ts';
import { type KeyRecord, retentionMs } from './idempotency.ts';
import { type Ledger, ledgerLifetimeMs, readLedger } from './ledger.ts';
import { closesAt, dispatchedAt, hasClosed, type Run, runLifetimeMs } from './run.ts';
import type { Store, Table } from './table.ts';

/** A reply without its body, which has a column of its own. */
type ReplyHead = Omit<Reply, 'body'>;
export type Claim = { slot: string; record: KeyRecord };

/** Runs, their replies and the keys they were sent with. Each function that changes something is one transaction. */
export type Records = {
  /** A run with all that is needed of it later; it is dispatched only after this returns. */
  admit(admission: { run: Run; replies: Readonly<Record<string, Reply>>; claim: Claim | undefined }, now: number): void;
  change(run: Run): void;
  findRun(id: string): Run | undefined;
  findKey(slot: string): KeyRecord | undefined;
  findReply(id: string): Reply | undefined;
  live: LiveRuns;
  /** When the newest run that was found in the store had been admitted, or 0 (ms). */
  foundUpTo: number;
  ledger(now: number, atMost?: number): Ledger;
  /** The page of the ledger that new runs are written on; runs of earlier pages are not listed. */
  ledgerPage(): number;
  startLedgerPage(): void;
  clear(): void;
};

export const recordTables = ['runs', 'answers', 'keys'] as const;

type Tables = { runs: Table<Run>; answers: Table<ReplyHead>; keys: Table<KeyRecord> };

/** Reads what an earlier process left in the store, and finds the runs still under way at `now`. */
export function openRecords(store: Store, now: number, isPersistent: boolean): Records {
  const tables: Tables = { runs: store.table('runs'), answers: store.table('answers'), keys: store.table('keys') };
  const live = createLiveRuns();
  const recent = createRecent<Run>(recentRuns);
  const putLive = (run: Run, at: number): void => {
    if (!hasClosed(run, at)) live.put(run);
  };
  let page = 0;
  let foundUpTo = 0;
  for (const run of isPersistent ? tables.runs.each() : []) {
    putLive(run, now);
    page = Math.max(page, run.ledgerPage);
    foundUpTo = Math.max(foundUpTo, run.submittedAt);
  }
  const forget = forgetting(tables, now);
  return {
    live,
    foundUpTo,
    admit: ({ run, replies, claim }, at) => {
      store.transaction(() => {
        forget(at);
        tables.runs.put(run.id, run.submittedAt, { value: run });
        for (const [id, { body, ...value }] of Object.entries(replies)) tables.answers.put(id, at, { value, body });
        if (claim !== undefined) tables.keys.put(claim.slot, at, { value: claim.record });
      });
      recent.put(run.id, run);
      putLive(run, at);
    },
    change: (run) => {
      store.transaction(() => tables.runs.put(run.id, run.submittedAt, { value: run }));
      recent.put(run.id, run);
      live.put(run);
    },
    findRun: (id) => recent.get(id) ?? tables.runs.get(id),
    findKey: (slot) => tables.keys.get(slot),
    findReply: (id) => {
      const entry = tables.answers.getEntry(id);
      return entry === undefined ? undefined : { ...entry.value, body: entry.body ?? '' };
    },
    ledger: (at, atMost) => readLedger(onPage(tables.runs.each(), page), at, atMost),
    ledgerPage: () => page,
    startLedgerPage: () => {
      page += 1;
    },
    clear: () => {
      store.clear();
      live.clear();
      recent.clear();
    },
  };
}

const recentRuns = 4096; // these are polled often

/** Keeps the latest `atMost` values. */
function createRecent<T>(atMost: number) {
  const values = new Map<string, T>();
  return {
    get: (id: string): T | undefined => values.get(id),
    put: (id: string, value: T): void => {
      values.delete(id);
      values.set(id, value);
      const oldest = values.size > atMost ? values.keys().next().value : undefined;
      if (oldest !== undefined) values.delete(oldest);
    },
    clear: (): void => values.clear(),
  };
}

function* onPage(runs: Iterable<Run>, page: number): Iterable<Run> {
  for (const run of runs) if (run.ledgerPage >= page) yield run;
}

const forgetEveryMs = 60_000;

/** Removes expired rows, at most once a minute of the sandbox's clock; readers check the age themselves. */
function forgetting(tables: Tables, startedAt: number): (now: number) => void {
  let nextAt = startedAt;
  return (now) => {
    if (now < nextAt) return;
    nextAt = now + forgetEveryMs;
    tables.keys.forgetBefore(now - retentionMs);
    tables.answers.forgetBefore(now - Math.max(retentionMs, runLifetimeMs));
    tables.runs.forgetBefore(now - ledgerLifetimeMs);
  };
}

/** The runs that are not closed yet, in order of admission: an index over the store, rebuilt from it. */
export type LiveRuns = {
  /** A new run comes last; a changed one keeps its place. */
  put(run: Run): void;
  /** How many calls of a scope are under way, queued ones from their admission (NS-50). */
  count(scope: string, now: number): number;
  /** How many waiting runs of the same model are ahead of this one, from any caller (MR-QUE-09). */
  countAhead(run: Run, now: number): number;
  clear(): void;
};

export function createLiveRuns(): LiveRuns {
  const runs = new Map<string, Run>();
  const removeClosed = (now: number): void => {
    for (const run of runs.values()) if (hasClosed(run, now)) runs.delete(run.id);
  };
  return {
    put: (run) => {
      runs.set(run.id, run);
    },
    count: (scope, now) => {
      removeClosed(now);
      let count = 0;
      for (const run of runs.values()) if (run.scope === scope) count += 1;
      return count;
    },
    countAhead: ({ id, modelId }, now) => {
      removeClosed(now);
      let ahead = 0;
      for (const run of runs.values()) {
        if (run.id === id) break;
        if (run.modelId === modelId && isWaiting(run, now)) ahead += 1;
      }
      return ahead;
    },
    clear: () => runs.clear(),
  };
}

function isWaiting(run: Run, now: number): boolean {
  return run.operation === 'submit' && now < (dispatchedAt(run) ?? closesAt(run));
}
