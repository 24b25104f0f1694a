import type { JsonValue } from '../../../../specs/src/index.ts';
import type { ProbeContext } from '../../contract/context.ts';
import { computeEnd, findMembers } from '../../contract/evidence.ts';
import { type Finding, finding } from '../../contract/finding.ts';
import { listObeying } from '../../contract/hooks.ts';
import { defineFamily, type Rule } from '../../contract/rule.ts';
import { anyOf, hook, input } from '../../requires.ts';
import { parseTime } from '../../wire/system-clock.ts';
import { isReplay } from '../builders/keyed-calls.ts';
import { isResult, type ObservedResponse } from './observed-response.ts';
import { onAll, passive, type TraceCheck } from './passive-rule.ts';

const hourMs = 60 * 60 * 1_000;
/** Clocks differ, and a link is signed before its response is there. */
const toleranceMs = 5 * 60 * 1_000;
/** The longest that any hosted link lives. */
const longestHours = 24;

/** How long a signed link is valid, in milliseconds; undefined where it does not say so in a form that storages use. */
export function readLifetime(link: string, { nowMs }: { readonly nowMs: number | undefined }): number | undefined {
  const query = [...(URL.parse(link)?.searchParams ?? [])];
  const read = (name: string): string => query.find(([given]) => given.toLowerCase() === name)?.[1] ?? '';
  if (/^\d{1,9}$/.test(read('x-amz-expires'))) return Number(read('x-amz-expires')) * 1_000;
  const expires = read('expires');
  const end = /^\d{9,11}$/.test(expires) ? Number(expires) * 1_000 : parseTime(read('se'));
  return nowMs === undefined || Number.isNaN(end) ? undefined : end - nowMs;
}

type SignedLink = { readonly observed: ObservedResponse; readonly pointer: string; readonly lifetimeMs: number };

function listSignedLinks(observed: ObservedResponse, { has }: ProbeContext): readonly SignedLink[] {
  if (observed.body.kind !== 'json') return [];
  // A clock that is moved is not the one of the gate.
  const nowMs = has('clock') ? undefined : computeEnd(observed.exchange);
  const isLink = (_: string, value: JsonValue): boolean => typeof value === 'string' && /^https?:/.test(value);
  return findMembers(observed.body.value, isLink).flatMap(({ pointer, value }) => {
    const lifetimeMs = readLifetime(String(value), { nowMs });
    return lifetimeMs === undefined ? [] : [{ observed, pointer, lifetimeMs }];
  });
}

/** A link that could not be copied is the provider's: only where all links of a model live too long does the service sign them so. */
const checkLifetimes: TraceCheck = (responses, context) => {
  const links = responses
    .filter((one) => isResult(one) && !isReplay(one.response))
    .flatMap((one) => listSignedLinks(one, context));
  const byModel = [...Map.groupBy(links, ({ observed }) => readModel(observed))];
  const known = byModel.flatMap(([model, own]) => {
    const hours = findLimit(model, context);
    return hours === undefined ? [] : [{ own, limitMs: hours * hourMs + toleranceMs }];
  });
  if (known.length === 0) return undefined;
  return known.flatMap(({ own, limitMs }): readonly Finding[] =>
    own.some(({ lifetimeMs }) => lifetimeMs <= limitMs)
      ? []
      : own.map(({ observed, pointer, lifetimeMs }) => {
          const expected = `a link for at most ${Math.floor(limitMs / hourMs)} hours`;
          const actual = `one for ${Math.round(lifetimeMs / hourMs)}`;
          return finding('value-unexpected', { step: observed.response.step, pointer }, expected, actual);
        }),
  );
};

function readModel({ parameters }: ObservedResponse): string {
  return `${parameters['provider']}/${parameters['model']}`;
}

function findLimit(model: string, { owned, has }: ProbeContext): number | undefined {
  const stated = owned.find(({ id }) => id === model)?.linkHours;
  const hooked = has('assets') ? listObeying(['outcomes', ...(has('families') ? ['families'] : [])]) : [];
  return stated ?? (hooked.includes(model) ? longestHours : undefined);
}

export const linkRules: readonly Rule[] = defineFamily(
  { ...passive, requires: [anyOf(hook('assets'), input('linkHours'))] },
  {
    'trace.links.are-valid-no-longer-than-stated': {
      sentence:
        'The links that the service signs are valid for no longer than the documents or the owner of the model say.',
      requirements: ['MR-AST-06', 'MR-AST-09', 'MR-AST-11', 'MR-AST-14', 'MR-AST-24'],
      check: onAll(checkLifetimes),
    },
  },
);
