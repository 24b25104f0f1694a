import type { JsonObject } from '../../../../specs/src/index.ts';
import type { ProbeContext } from '../../contract/context.ts';
import { readHeader, type StepResponse } from '../../contract/evidence.ts';
import { defineFamily, type Rule } from '../../contract/rule.ts';
import type { RequestParts, StepOptions } from '../../contract/steps.ts';
import { allChecks, onResponse } from '../builders/checks.ts';
import * as expect from '../builders/expectations.ts';
import { completed, isReplay, keyed, seed } from '../builders/keyed-calls.ts';
import { follow, literalBody, polled } from '../builders/router-steps.ts';
import { expectSameBytes } from '../builders/same-response.ts';
import {
  expectReceived,
  scripted,
  scriptedOr,
  scriptedPath,
  scriptedRun,
  scriptedSubmit,
} from '../builders/scripted-runs.ts';

/** The same call on both routes: run, and submitted and collected. */
function bothRoutes(input: JsonObject, parts: RequestParts = {}, options: StepOptions = completed) {
  const queued = [scriptedSubmit('submit', input, parts), polled(), follow('collect', 'response_url')];
  return [scriptedRun('run', input, parts, options), ...queued];
}

const isCharged = (response: StepResponse, { headers }: ProbeContext): boolean =>
  readHeader(response, headers.creditsUsed) !== undefined;

const text = '{ "outcome":\t"echo",\n  "prompt": "caf\\u00e9 \u00e9 \\/",  "delay_ms": 0 }';
const file = bothRoutes({ media_type: 'audio/wav' });
const encoded = bothRoutes({}, literalBody(text), {});
const large = bothRoutes({ size_bytes: 150_000 });
const credits = { label: 'outcomes-credits', to: scriptedPath, value: { credits_used: 7 } };

export const outcomeResultRules: readonly Rule[] = defineFamily(scripted, {
  'outcomes.file.keeps-its-media-type': {
    sentence: 'A file that a queued request made is collected with its media type.',
    requirements: ['MR-COL-05', 'MR-COL-04'],
    probe: file,
    check: onResponse(['collect', 'run'], expect.status(200, expect.mediaType('audio/wav'))),
  },
  'outcomes.file.is-collected-to-the-byte': {
    sentence: 'A file that a queued request made is collected byte by byte as it was made.',
    requirements: ['MR-COL-06'],
    needs: ['outcomes.file.keeps-its-media-type'],
    probe: file,
    check: onResponse('collect', expectSameBytes('run')),
  },
  'outcomes.body.reaches-the-provider-unchanged': {
    sentence: 'The body of a run reaches the provider unchanged.',
    requirements: ['MR-RUN-17'],
    probe: encoded,
    check: onResponse('run', expect.status(200, expectReceived({ text, provider: 'sandbox' }))),
  },
  'outcomes.result.is-collected-to-the-byte': {
    sentence: 'A JSON result is collected byte by byte as it was made.',
    requirements: ['MR-COL-06', 'MR-COL-04'],
    needs: ['outcomes.body.reaches-the-provider-unchanged'],
    probe: encoded,
    check: onResponse('collect', expect.status(200, expectSameBytes('run'))),
  },
  'outcomes.result.is-collected-to-the-byte-at-any-length': {
    sentence: 'A JSON result of any length is collected byte by byte as it was made.',
    requirements: ['MR-COL-06', 'MR-COL-04'],
    probe: large,
    check: onResponse('collect', expect.status(200, expectSameBytes('run'))),
  },
  'outcomes.credits.are-told-once': {
    // Repeats passive.header.credits-used and passive.replay.carries-no-credits, because its calls bring them the header.
    sentence: 'The first response states the credits used, and a replay does not.',
    requires: scriptedOr('input'),
    requirements: ['MR-HDR-25', 'MR-HDR-27', 'MR-IDM-02'],
    probe: [seed, keyed('first', credits, completed), keyed('again', credits)],
    check: allChecks(
      // It may appear, and need not; the number itself is not promised (MR-HDR-25).
      onResponse('first', expect.where(isCharged, expect.header('creditsUsed', expect.wholeNumber))),
      onResponse('again', expect.where(isReplay, expect.noHeader('creditsUsed'))),
    ),
  },
});
