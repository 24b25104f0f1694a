import { isJsonObject, type JsonValue } from '../../../../specs/src/index.ts';
import { memberOf, responseOf, wasAnswered } from '../../answer.ts';
import type { Draft } from '../../finding.ts';
import type { Evidence, Probe, ProbeRequest, Step } from '../../probe.ts';
import { absent, finding, requireMediaType, requireMember, requireStatus } from '../../require.ts';
import type { Rule } from '../../rule.ts';
import { stepFrom } from '../../steps.ts';
import { text } from '../vocabulary/matchers.ts';
import { ask, tell, tellQueue, toldRule, untilOver } from '../vocabulary/told-runs.ts';

const family = 'assets';

/** In this order they stand in the result. */
const wishes = [
  { hosting: 'hosted_24h', media_type: 'image/png' },
  { hosting: 'hosted_12h', media_type: 'video/mp4' },
  { hosting: 'failed_copy', media_type: 'image/png' },
  { hosting: 'provider', media_type: 'image/png' },
  { hosting: 'inline', media_type: 'image/png' },
];
export const hostedAt = '/assets/0/url';
const providedAt = '/assets/3/url';

/** A link of an earlier answer, opened without a credential: its signature is all that it needs. */
export function open(name: string, of: string, pointer: string, options: Omit<Step, 'name' | 'request'> = {}): Step {
  const request = (earlier: Evidence): ProbeRequest | undefined => {
    const url = memberOf(responseOf(earlier, of), pointer);
    if (typeof url !== 'string' || !URL.canParse(url)) return undefined;
    return { api: 'router', method: 'GET', to: url, credentials: [] };
  };
  return stepFrom(name, request, options);
}

/** Opened it was, if there was a link to open. */
export function requireOpened(evidence: Evidence, name: string): readonly Draft[] {
  if (wasAnswered(evidence, name)) {
    const answer = responseOf(evidence, name);
    const empty = finding('body-unexpected', { step: name }, { expected: 'the asset', actual: 'no bytes' });
    return answer.status === 200 && answer.body.length === 0 ? [empty] : requireStatus(answer, 200);
  }
  return [finding('value-unexpected', { step: name }, { expected: 'a link to open', actual: 'none' })];
}

const hosting = (): Probe => ({
  steps: [
    tell('run', { assets: wishes }),
    open('hosted', 'run', hostedAt),
    open('hosted-video', 'run', '/assets/1/url'),
    tell('inline-video', { assets: [{ hosting: 'inline_video' }] }),
    tell('direct', { assets: [{ hosting: 'direct_write' }] }),
    open('direct-open', 'direct', '/response/videos/0/gcsUri'),
  ],
});

const hostingOfQueue = (): Probe => ({
  steps: [
    tell('run', { assets: wishes }),
    tellQueue('queued', { assets: wishes }),
    ask('queued-end', 'status_url', { of: 'queued', repeat: untilOver, mustAnswer: [200] }),
    ask('collected', 'response_url', { of: 'queued' }),
    open('collected-hosted', 'collected', hostedAt),
  ],
});

/** Where links of one kind lie: all of it but the asset's own name. */
export function placeOf(value: JsonValue | undefined): string | undefined {
  if (typeof value !== 'string' || !URL.canParse(value)) return undefined;
  const { origin, pathname } = new URL(value);
  return origin + pathname.replace(/[^/]*$/, '');
}

function linkAt(evidence: Evidence, pointer: string): JsonValue | undefined {
  return memberOf(responseOf(evidence, 'run'), pointer);
}

function requirePlace(evidence: Evidence, pointer: string, like: string): readonly Draft[] {
  const [place, wanted] = [placeOf(linkAt(evidence, pointer)), placeOf(linkAt(evidence, like))];
  if (place !== undefined && place === wanted) return [];
  const said = { expected: `a link below ${wanted}`, actual: place ?? 'no link' };
  return [finding('value-unexpected', { step: 'run', pointer }, said)];
}

const succeeds = 'assets.run.succeeds';
const needs = [succeeds];

export const assetHostingRules: readonly Rule[] = [
  toldRule({
    id: succeeds,
    family,
    requirements: ['MR-AST-32', 'MR-AST-28', 'MR-AST-01'],
    probe: hosting,
    // One of the copies fails; the generation does not.
    judge: (evidence) => requireStatus(responseOf(evidence, 'run'), 200),
  }),
  toldRule({
    id: 'assets.copied.lie-in-service-storage',
    family,
    requirements: ['MR-AST-02', 'MR-AST-30'],
    needs,
    probe: hosting,
    judge: (evidence) => {
      const [hosted, provided] = [placeOf(linkAt(evidence, hostedAt)), placeOf(linkAt(evidence, providedAt))];
      const at = { step: 'run', pointer: hostedAt };
      const apart = hosted !== undefined && hosted !== provided;
      const said = { expected: `a link elsewhere than below ${provided}`, actual: hosted ?? 'no link' };
      return [
        ...(apart ? [] : [finding('value-unexpected', at, said)]),
        ...requirePlace(evidence, '/assets/1/url', hostedAt),
      ];
    },
  }),
  toldRule({
    id: 'assets.copied.open-without-a-credential',
    family,
    requirements: ['MR-AST-02'],
    needs: ['assets.copied.lie-in-service-storage'],
    probe: hosting,
    judge: (evidence) =>
      [['hosted', 'image/png'] as const, ['hosted-video', 'video/mp4'] as const].flatMap(([name, type]) => {
        const status = requireOpened(evidence, name);
        return status.length > 0 ? status : requireMediaType(responseOf(evidence, name), type);
      }),
  }),
  toldRule({
    id: 'assets.copied.for-the-queue-as-well',
    family,
    requirements: ['MR-AST-02', 'MR-COL-04'],
    needs: ['assets.copied.open-without-a-credential'],
    probe: hostingOfQueue,
    judge: (evidence) => {
      const collected = responseOf(evidence, 'collected');
      const status = requireStatus(collected, 200);
      if (status.length > 0) return status;
      const [place, wanted] = [placeOf(memberOf(collected, hostedAt)), placeOf(linkAt(evidence, hostedAt))];
      const at = { step: 'collected', pointer: hostedAt };
      const said = { expected: `a link below ${wanted}`, actual: place ?? 'no link' };
      return place === wanted ? requireOpened(evidence, 'collected-hosted') : [finding('value-unexpected', at, said)];
    },
  }),
  toldRule({
    id: 'assets.failed-copy.keeps-the-providers-reference',
    family,
    requirements: ['MR-AST-29', 'MR-AST-28', 'MR-AST-30'],
    needs,
    probe: hosting,
    judge: (evidence) => requirePlace(evidence, '/assets/2/url', providedAt),
  }),
  toldRule({
    id: 'assets.inline.come-as-bytes',
    family,
    requirements: ['MR-AST-01', 'MR-AST-26'],
    needs,
    probe: hosting,
    judge: (evidence) => [
      ...requireMember(responseOf(evidence, 'run'), '/assets/4/bytes_base64', text),
      ...requireMember(responseOf(evidence, 'run'), '/assets/4/url', absent),
    ],
  }),
  toldRule({
    id: 'assets.inline-video.holds-the-clip',
    family,
    requirements: ['MR-AST-22'],
    needs,
    probe: hosting,
    judge: (evidence) =>
      requireMember(responseOf(evidence, 'inline-video'), '/response/videos/0/bytesBase64Encoded', {
        expected: 'base64 of a clip',
        is: (value) =>
          typeof value === 'string' && /^(?:[A-Za-z0-9+/]{4})+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(value),
      }),
  }),
  toldRule({
    id: 'assets.direct-write.gives-a-link',
    family,
    requirements: ['MR-AST-23'],
    needs,
    probe: hosting,
    judge: (evidence, { baseUrls }) => {
      const answer = responseOf(evidence, 'direct');
      const first = memberOf(answer, '/response/videos/0');
      if (isJsonObject(first) && first['gcsUri'] === undefined && first['bytesBase64Encoded'] !== undefined)
        return { kind: 'not-observable', because: 'this environment gives the clip inline' };
      // A sandbox signs links for the origin it is asked at; only there may they lack the S.
      const isPlain = baseUrls.router?.startsWith('http:') === true;
      const link = requireMember(answer, '/response/videos/0/gcsUri', {
        expected: 'an HTTPS link',
        is: (url) => typeof url === 'string' && URL.canParse(url) && (isPlain ? /^https?:/ : /^https:/).test(url),
      });
      return link.length > 0 ? link : requireOpened(evidence, 'direct-open');
    },
  }),
];
