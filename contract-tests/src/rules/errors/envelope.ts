import type { ProbeContext } from '../../contract/context.ts';
import { allResponses, readHeader, readResponse } from '../../contract/evidence.ts';
import { finding, notApplicable } from '../../contract/finding.ts';
import type { Probe } from '../../contract/probe.ts';
import { defineFamily, type Rule } from '../../contract/rule.ts';
import { get, post, step } from '../../contract/steps.ts';
import { state } from '../../requires.ts';
import * as expect from '../builders/expectations.ts';
import { jsonBody, list, malformedBody, unknownRequestId } from '../builders/router-steps.ts';

/** Free refusals of several operations, for several reasons; `prefer` selects the mock's example. */
const refusals = (context: ProbeContext): Probe => {
  const { path, input } = context.authored;
  // A validating mock waits for ever on a body that is cut off.
  const body = context.kind === 'mock' ? jsonBody(input) : malformedBody;
  return [
    list('bad-cursor', '?cursor=not-a-cursor', { prefer: 400 }),
    step('unknown-model', get('router', `${path}-that-is-unknown`, { prefer: 404 })),
    step('malformed-body', post('router', path, { ...body, prefer: 400 }), { mayBeLeftOut: true }),
    step('unknown-request', get('router', `${path}/requests/${unknownRequestId}/status`, { prefer: 404 })),
    list('no-credential', '', { credentials: [] }),
  ];
};

const ownId = 'an-id-of-the-caller';

export const errorEnvelopeRules: readonly Rule[] = defineFamily(
  { requiredOf: ['mock', 'sandbox', 'live'] },
  {
    'errors.envelope.has-detail-and-type': {
      // Repeats passive.body.error, because its calls bring the passive rules a mock's examples of errors.
      sentence: 'An error of the router is a JSON object with detail and error_type.',
      requirements: ['MR-ERR-01', 'MR-ERR-02', 'MR-ERR-05'],
      probe: refusals,
      check: (evidence) => {
        const refused = allResponses(evidence).filter(({ status }) => status >= 400 && status !== 422);
        if (refused.length === 0) return notApplicable('nothing was refused');
        return refused.flatMap(expect.members({ '/detail': expect.text, '/error_type': expect.text }));
      },
    },
    'errors.request-id.is-not-taken-from-the-caller': {
      sentence: "The request id of an answer is the router's own, whatever the caller sends.",
      requirements: ['MR-HDR-03'],
      requires: [state],
      requiredOf: ['sandbox', 'live'],
      probe: ({ headers }) => [list('sent', '', { headers: [[headers.requestId, ownId]] })],
      check: (evidence, { headers }) => {
        if (readHeader(readResponse(evidence, 'sent'), headers.requestId) !== ownId) return [];
        const at = { step: 'sent', header: headers.requestId };
        return [finding('value-unexpected', at, 'an id made by the server', ownId)];
      },
    },
  },
);
