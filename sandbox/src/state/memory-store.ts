import type { Bytes } from '../digest.ts';
import { SandboxError } from '../errors.ts';
import type { Store, Table } from './table.ts';

/** As text: what a reader does with a value never changes the record. */
type Row = { readonly at: number; readonly value: string; readonly body: string | Bytes | undefined };
type Rows = Map<string, Row>;
/** What puts a table back, newest change last; undefined outside of a transaction. */
type Undo = { steps: (() => void)[] | undefined };

/** A store that lives as long as the process. */
export function openMemoryStore(names: readonly string[]): Store {
  const tables = new Map<string, Rows>(names.map((name) => [name, new Map()]));
  const undo: Undo = { steps: undefined };
  let isClosed = false;
  const rowsOf = (name: string): Rows => {
    const rows = tables.get(name);
    if (isClosed || rows === undefined) throw new SandboxError('the sandbox is closed');
    return rows;
  };
  return {
    table: (name) => createTable(() => rowsOf(name), undo),
    transaction: (change) => inTransaction(undo, change),
    clear: () => {
      for (const name of names) dropRows(rowsOf(name), [...rowsOf(name).keys()], undo);
    },
    close: () => {
      isClosed = true;
      tables.clear();
    },
  };
}

function inTransaction<T>(undo: Undo, change: () => T): T {
  if (undo.steps !== undefined) return change(); // part of the one around it
  const steps: (() => void)[] = [];
  undo.steps = steps;
  try {
    return change();
  } catch (error) {
    for (const step of steps.reverse()) step();
    throw error;
  } finally {
    undo.steps = undefined;
  }
}

function createTable<T extends object>(rows: () => Rows, undo: Undo): Table<T> {
  // Only `put` below writes these rows, with values of this type.
  const parse = (row: Row): T => JSON.parse(row.value) as T;
  return {
    get: (id) => {
      const row = rows().get(id);
      return row === undefined ? undefined : parse(row);
    },
    getEntry: (id) => {
      const row = rows().get(id);
      return row === undefined ? undefined : { value: parse(row), body: copyOf(row.body) };
    },
    put: (id, at, { value, body }) => {
      const table = rows();
      const before = table.get(id);
      undo.steps?.push(() => (before === undefined ? table.delete(id) : table.set(id, before)));
      table.set(id, { at, value: JSON.stringify(value), body: copyOf(body) });
    },
    each: function* () {
      for (const row of [...rows().values()]) yield parse(row);
    },
    forgetBefore: (at) => {
      const old: string[] = [];
      for (const [id, row] of rows()) {
        if (row.at >= at) break; // rows are in order of age
        old.push(id);
      }
      dropRows(rows(), old, undo);
    },
  };
}

/** Rows that come back take their places again. */
function dropRows(rows: Rows, ids: readonly string[], undo: Undo): void {
  if (ids.length === 0) return;
  const before = undo.steps === undefined ? undefined : [...rows];
  undo.steps?.push(() => {
    rows.clear();
    for (const [id, row] of before ?? []) rows.set(id, row);
  });
  for (const id of ids) rows.delete(id);
}

function copyOf(body: string | Bytes | undefined): string | Bytes | undefined {
  return typeof body === 'object' ? new Uint8Array(body) : body;
}
