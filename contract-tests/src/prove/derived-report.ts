import type { DerivedRun } from './check-derived.ts';

export type DerivedReport = Readonly<ReturnType<typeof reportDerived>>;

/** Faults that nobody can tell from allowed behaviour. */
const unseen: readonly { readonly ids: RegExp; readonly reason: string }[] = [
  {
    ids: /^\S+ (?:[45]\d\d|default) labelled as text$/,
    reason: 'No media type is given for errors (NS-41), so a rule would fail a server that conforms.',
  },
];

export function reportDerived(runs: readonly DerivedRun[]) {
  const missed = runs.filter(({ caughtBy }) => caughtBy.length === 0);
  const explained = unseen.map(({ ids, reason }) => ({
    reason,
    ids: missed.filter(({ id }) => ids.test(id)).map(({ id }) => id),
  }));
  const countCaught = (some: readonly DerivedRun[]) => some.filter(({ caughtBy }) => caughtBy.length > 0).length;
  return {
    format: 'switchyard-derived-1' as const,
    total: runs.length,
    caught: countCaught(runs),
    operations: [...Map.groupBy(runs, ({ operation }) => operation)].map(([operation, own]) => ({
      operation,
      total: own.length,
      caught: countCaught(own),
    })),
    /** Not caught, and no reason is stated. */
    missed: missed.filter(({ id }) => !explained.some(({ ids }) => ids.includes(id))).map(({ id }) => id),
    explained,
    runs,
  };
}

/** Nothing is missed, and each reason is still needed. */
export function isDerivedSound({ missed, explained }: DerivedReport): boolean {
  return missed.length === 0 && explained.every(({ ids }) => ids.length > 0);
}

/** Text for a person: problems first, figures last. */
export function renderDerived({ total, caught, operations, missed, explained, runs }: DerivedReport): string {
  const madeUp = runs.filter((run) => run.lookedAt === 'made-up response' && run.caughtBy.length > 0).length;
  return [
    ...missed.map((id) => `missed ${id}`),
    ...explained.map(({ ids, reason }) =>
      ids.length === 0 ? `needless reason, nothing is missed for it: ${reason}` : `${ids.length} not seen: ${reason}`,
    ),
    ...operations.map((one) => `${one.operation.padEnd(20)} ${one.caught} of ${one.total} caught`),
    `${caught} of ${total} faults caught that the documents make nameable, ${madeUp} of them in responses made up for them`,
  ].join('\n');
}
