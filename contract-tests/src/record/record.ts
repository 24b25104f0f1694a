import { redactTree } from '../../../specs/src/index.ts';
import type { OutcomeKind } from '../contract/finding.ts';
import { recordFindings } from '../report/findings.ts';
import { createReportRedactor, cutTexts } from '../report/redact.ts';
import type { ConformanceInput, Recorder } from '../run/check.ts';
import type { CheckRecord, Decided, Entry, Stopped } from './entries.ts';
import { openExchanges } from './exchanges.ts';

/**
 * Opens the record of a check. Redacts each entry before cutting it, because a cut secret would not be recognised.
 * `skipped`: rules and paths at which earlier attempts hung.
 */
export function openRecord(
  input: ConformanceInput,
  startedAtMs: number,
  skipped: readonly Stopped[] = [],
  onEntry: (entry: Entry) => void = () => undefined,
): Recorder & { readonly record: CheckRecord } {
  const redactor = createReportRedactor(input.target);
  const { redact } = redactor;
  const record: Entry[] = [{ kind: 'opened', startedAtMs }];
  const add = (entry: Entry): void => {
    record.push(entry);
    onEntry(entry);
  };
  const addPlain = (entry: Entry): void => add(cutTexts(redactTree(entry, redact)));
  const exchanges = openExchanges(input, redactor, add);
  const decisions = new Map<string, Decided>();
  const addDecided = (entry: Decided): void => {
    decisions.set(entry.ruleId, entry);
    add(entry);
  };
  let lastStarted: string | undefined;
  return {
    record,
    // A path may contain any text from the catalog.
    findSkipReason: (at) => skipped.find((stop) => stop.at === redact(at))?.because,
    addStart: (at) => {
      // Called before and after each request of a rule.
      if (at !== lastStarted) add({ kind: 'started', at: redact(at) });
      lastStarted = at;
    },
    addDiscovery: ({ reachability, discovery, capabilities, plan }) => {
      const { listed, problems, lost, isComplete } = discovery;
      const models = Object.fromEntries(Object.entries(discovery.models).map(([kind, { id }]) => [kind, id]));
      const found = { listed: listed.length, models, problems, lost, isComplete };
      addPlain({ kind: 'discovered', reachability, discovery: found, capabilities, ...(plan && { plan }) });
    },
    addRun: (index, run) => addPlain({ kind: 'run', index, record: run }),
    addExchange: exchanges.note,
    addDecision: ({ rule, outcome, durationMs }) => {
      const { evidence, why, foundAt: _, ...details } = outcome;
      const redacted = cutTexts(redactTree(details, redact));
      const isFailed = redacted.kind === 'failed';
      const findings = isFailed
        ? recordFindings(redacted.findings, evidence.map(exchanges.convert), { rule, ...input })
        : [];
      const earlier = decisions.get(rule.id);
      if (earlier === undefined || isStronger(redacted.kind, earlier.outcome.kind)) {
        const isWanted = input.evidence === 'all' || (isFailed && input.evidence !== 'none');
        addDecided({
          kind: 'decided',
          ruleId: rule.id,
          outcome: isFailed ? { ...redacted, findings } : redacted,
          ...(why && { why: redactTree(why, redact) }),
          ...(rule.scenario !== undefined && evidence.length > 0 && { calls: evidence.length }),
          evidence: isWanted ? evidence.map((one) => exchanges.keep(one)) : [],
          durationMs: Math.round(durationMs),
        });
      } else if (earlier.outcome.kind === 'failed' && isFailed) {
        const all = [...earlier.outcome.findings, ...findings.map(({ seen: _, ...finding }) => finding)];
        // Without the exchanges, and limited, because a rule may be applied to a thousand models.
        addDecided({ ...earlier, outcome: { kind: 'failed', findings: all.slice(0, maxFindings) } });
      }
    },
    addStop: (nowMs, lost) =>
      addPlain({ kind: 'stopped', durationMs: nowMs - startedAtMs, ...(lost === undefined ? {} : { lost }) }),
  };
}

const maxFindings = 100;

/** Outcomes in order of precedence: findings, then decisions, then everything else. */
const strongestFirst: readonly OutcomeKind[] = [
  'failed',
  'errored',
  'observed',
  'passed',
  'setup-failed',
  'blocked',
  'not-applicable',
  'not-observable',
];

function isStronger(one: OutcomeKind, other: OutcomeKind): boolean {
  return strongestFirst.indexOf(one) < strongestFirst.indexOf(other);
}
