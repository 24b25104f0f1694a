import { isJsonObject, visibleText } from '../../../specs/src/index.ts';
import { parseJson, readHeader } from '../contract/evidence.ts';
import { curlLine, curlNotes, mayBeBilled } from './curl-line.ts';
import type { ExchangeRecord, RuleResult } from './report.ts';

export type Call = { readonly exchange: ExchangeRecord; readonly isBroken: boolean };

/** Lists the calls of a failed rule in sending order; of a passive rule, only those with findings (`isBroken`). */
export function listCalls({ outcome, calls, evidence }: RuleResult): readonly Call[] {
  if (outcome.kind !== 'failed') return [];
  const broken = new Set(outcome.findings.map(({ seen }) => seen?.exchange));
  return evidence
    .map((exchange, index) => ({ exchange, isBroken: broken.has(index) }))
    .filter(({ isBroken }) => isBroken || calls !== undefined)
    .toSorted((one, other) => one.exchange.startedAtMs - other.exchange.startedAtMs);
}

/** Longer sequences, such as those over a whole catalog, only get curl commands for their findings. */
const callsAtMost = 40;
/** For longer waits, the check advanced the clock with the test hooks, which sleeping would not reproduce. */
const longestSleepMs = 60_000;
const shortestSleepMs = 20;

type Variable = { readonly name: string; readonly value: string };

/**
 * Returns a POSIX shell script that repeats the calls of a failed rule in the same order, with the same waits. It uses
 * new idempotency keys. Request ids, cursors and entity tags come from the new responses, credentials from the
 * environment. Returns undefined for fewer than two calls, or too many.
 */
export function renderScript(result: RuleResult): string | undefined {
  const calls = listCalls(result);
  if (calls.length < 2 || calls.length > callsAtMost) return undefined;
  const keys = calls.flatMap(({ exchange }) => readHeader(exchange.request, 'Idempotency-Key') ?? []);
  const parts = new Set(keys.flatMap((key) => freshPart.exec(key)?.[0] ?? []));
  const fresh = [...parts].map((value, index): Variable => ({ name: `fresh_${index + 1}`, value }));
  const billed = calls.flatMap(({ exchange }, index) => (mayBeBilled(exchange) ? [index + 1] : []));
  const isActiveRule = result.calls !== undefined;
  // The exchanges of a passive rule belong to other rules, so the waits between them are irrelevant.
  const lines = writeCalls(calls, fresh, isActiveRule);
  const needed = [...new Set(lines.join('\n').match(/\$\{?SWITCHYARD_\w+/g) ?? [])].map((one) =>
    one.replace(/^\$\{?/, ''),
  );
  const named = `${billed.length === 1 ? 'call' : 'calls'} ${billed.join(', ')} of ${calls.length}`;
  return [
    '#!/bin/sh',
    comment(`${result.ruleId}: ${result.sentence}`),
    `# Repeats ${isActiveRule ? 'the calls of this rule' : 'the calls with findings'} with new idempotency keys, so that no response is replayed from an earlier call.`,
    ...(billed.length === 0
      ? ['# These calls are not billed.']
      : [
          `# May be billed: ${named}.`,
          `if [ "\${MAY_BE_BILLED:-}" != yes ]; then`,
          `  echo 'may be billed: ${named}; set MAY_BE_BILLED=yes to send them' >&2`,
          '  exit 2',
          'fi',
        ]),
    'set -u',
    ...needed.map((name) => `: "\${${name}:?is not set}"`),
    'answers=$(mktemp -d)',
    ...fresh.map(
      ({ name, value }) =>
        `${name}=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \\n' | cut -c1-${Math.min(value.length, 32)})`,
    ),
    ...lines,
    'wait',
    'for number in $(ls "$answers" | sort -n); do echo "== answer $number"; cat "$answers/$number"; echo; done',
    '',
  ].join('\n');
}

/** The unique part of an idempotency key: a UUID, or a time in milliseconds. */
const freshPart = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|\d{10,}/i;

const endOf = ({ startedAtMs, durationMs }: ExchangeRecord): number => startedAtMs + durationMs;

function writeCalls(calls: readonly Call[], fresh: readonly Variable[], withWaits: boolean): readonly string[] {
  const lines: string[] = [];
  const known = [...fresh];
  let running: { readonly endsAtMs: number; readonly read: () => void }[] = [];
  for (const [index, call] of calls.entries()) {
    const number = index + 1;
    const { exchange } = call;
    const { startedAtMs } = exchange;
    if (running.some(({ endsAtMs }) => endsAtMs <= startedAtMs)) {
      lines.push('wait');
      for (const { read } of running) read();
      running = [];
    }
    const previous = calls[index - 1]?.exchange;
    const { request, step } = exchange;
    const key = readHeader(request, 'Idempotency-Key');
    lines.push(
      '',
      comment(`${number}. ${step}: ${request.method} ${request.url}${call.isBroken ? '  <- has a finding' : ''}`),
      ...curlNotes(exchange).map(comment),
      ...(key === undefined || freshPart.test(key) ? [] : ['# The key is the same as in the check.']),
    );
    if (previous !== undefined && withWaits) {
      const waitMs = startedAtMs - (running.length > 0 ? previous.startedAtMs : endOf(previous));
      if (waitMs > longestSleepMs)
        lines.push(`# Here, the check advanced the clock by ${Math.round(waitMs / 1000)} s.`);
      else if (waitMs >= shortestSleepMs) lines.push(`sleep ${waitMs / 1000}`);
    }
    const next = calls[index + 1]?.exchange;
    const isOverlapping = next !== undefined && next.startedAtMs < endOf(exchange);
    const later = calls.slice(number).map((call) => curlLine(call.exchange));
    const given = listGiven(exchange, number).filter(
      ({ value }) => later.some((line) => line.includes(value)) && !known.some((one) => one.value === value),
    );
    // Each argument of the command is in single quotes.
    const line = known.reduce((text, { name, value }) => text.replaceAll(value, `'"\${${name}}"'`), curlLine(exchange));
    lines.push(`${line} > "$answers/${number}"${isOverlapping ? ' &' : ''}`);
    const read = (): void => {
      known.push(...given);
      lines.push(
        ...given.map(
          ({ name, pattern }) => `${name}=$(tr -d '\\r' < "$answers/${number}" | sed -n '${pattern}' | head -n 1)`,
        ),
      );
    };
    if (isOverlapping) running.push({ endsAtMs: endOf(exchange), read });
    else read();
  }
  return lines;
}

/** Lists values of a response that later calls may use, with a `sed` pattern to extract each. */
function listGiven({ response }: ExchangeRecord, number: number): readonly (Variable & { readonly pattern: string })[] {
  if (response.kind === 'no-response') return [];
  const body = response.body.kind === 'text' && !response.body.isCut ? parseJson(response.body.text) : undefined;
  const members = isJsonObject(body) ? ['request_id', 'next_cursor'].map((name) => [name, body[name]] as const) : [];
  const given = members.flatMap(([name, value]) =>
    typeof value === 'string'
      ? { name: `${name}_${number}`, value, pattern: `s/.*"${name}" *: *"\\([^"]*\\)".*/\\1/p` }
      : [],
  );
  const tag = readHeader(response, 'ETag');
  const tags = tag === undefined ? [] : [{ name: `etag_${number}`, value: tag, pattern: 's/^[Ee][Tt][Aa][Gg]: *//p' }];
  // Other values would need quoting.
  return [...given, ...tags].filter(({ value }) => /^[\w"./:+=-]{6,300}$/.test(value));
}

function comment(text: string): string {
  return `# ${visibleText(text).replace(/\s+/g, ' ')}`;
}
