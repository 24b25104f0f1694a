import type { TargetContext } from '../../contract/context.ts';
import { computeEnd, decodeBody, isReplay, once, readHeader, type StepResponse } from '../../contract/evidence.ts';
import { excerpt, type Finding, finding } from '../../contract/finding.ts';
import { state } from '../../requires.ts';
import * as expect from '../expect.ts';
import { isResponseTo, nameModel, type ObservedResponse, responseRule, traceRule } from './passive-rule.ts';

function repeatedIds(responses: readonly StepResponse[], { headers }: TargetContext): readonly Finding[] {
  const firstSteps = new Map<string, string>();
  return responses.flatMap((response) => {
    const id = readHeader(response, headers.requestId);
    if (id === undefined) return [];
    const first = once(firstSteps, id, () => response.step);
    if (first === response.step) return [];
    const at = { step: response.step, header: headers.requestId };
    return [finding('value-unexpected', at, 'a new id', `the id of response ${first}`)];
  });
}

const keySent = ({ exchange }: ObservedResponse): string | undefined => readHeader(exchange.request, 'Idempotency-Key');

export const identifierAndReplayRules = [
  traceRule('trace.request-id.is-unique', {
    concern: 'form',
    sentence: 'Every response has its own request id.',
    requirements: ['MR-HDR-03'],
    requiredOf: ['sandbox', 'live'],
    requires: [state],
    check: repeatedIds,
  }),
  traceRule('trace.entity-tag.stands-for-the-bytes', {
    concern: 'discovery',
    sentence: 'An entity tag always identifies the same bytes of a schema document.',
    requirements: ['MR-SCH-09'],
    requiredOf: ['sandbox', 'live'],
    requires: [state],
    // Each version of a document has exactly one tag, and no two versions share one.
    check: (responses) => {
      const documents = responses.filter(isResponseTo('readSchemaDocument 200'));
      if (documents.length === 0) return undefined;
      const [tagOfText, textOfTag] = [new Map<string, string>(), new Map<string, string>()];
      return documents.flatMap((response) => {
        const tag = readHeader(response, 'ETag')?.trim();
        if (tag === undefined) return [];
        const [model, text] = [nameModel(response), decodeBody(response)];
        // A different content coding produces different bytes.
        const coding = readHeader(response, 'Content-Encoding') ?? 'identity';
        const firstTag = once(tagOfText, `${model} ${coding} ${text}`, () => tag);
        const firstText = once(textOfTag, `${model} ${tag}`, () => text);
        const at = { step: response.step, header: 'ETag' };
        if (firstTag !== tag) return [finding('values-differ', at, `${firstTag} for the same bytes`, tag)];
        if (firstText === text) return [];
        return [finding('values-differ', at, 'a different tag, because the bytes differ', excerpt(tag))];
      });
    },
  }),
  traceRule('trace.replay.needs-an-earlier-call', {
    sentence: 'Only a call whose key was used before is marked as replayed.',
    requirements: ['MR-HDR-14'],
    requires: [state],
    requiredOf: ['sandbox'],
    readsAttributed: true,
    check: (responses) => {
      const isEarlier = (other: ObservedResponse, replay: ObservedResponse): boolean =>
        other.exchange !== replay.exchange &&
        keySent(other) === keySent(replay) &&
        other.exchange.timing.startedAtMs <= computeEnd(replay.exchange);
      const isKnown = (replay: ObservedResponse): boolean =>
        keySent(replay) !== undefined && responses.some((other) => isEarlier(other, replay));
      return responses
        .filter((one) => isReplay(one) && !isKnown(one))
        .map(({ step }) => {
          const at = { step, header: 'Idempotent-Replayed' };
          return finding('header-unexpected', at, 'no replay header unless an earlier call had the key', 'true');
        });
    },
  }),
  responseRule('passive.replay.carries-no-credits', {
    concern: 'spending',
    sentence: 'A replay has no credits-used header.',
    requirements: ['MR-HDR-27', 'MR-HDR-14', 'MR-IDM-02'],
    about: isReplay,
    check: expect.noHeader('creditsUsed'),
  }),
];
