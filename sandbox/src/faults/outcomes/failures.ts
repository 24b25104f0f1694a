import { isJsonObject, type JsonObject } from '../../../../specs/src/index.ts';
import type { Decorator, Fault } from '../decorator.ts';
import {
  type AnswerChange,
  headerOf,
  parseBody,
  refusal,
  rewriteAnswer,
  withBody,
  withHeader,
  withText,
} from '../making/answer-rewrite.ts';
import { isTold, whenTold } from '../making/told-run.ts';

function answeredAs(outcome: string, status: number, category: string): Decorator {
  return whenTold(isTold(outcome), (answer, { context }) => refusal(answer, context, { status, category }), {
    status: (seen) => seen >= 400,
  });
}

function upstream(outcome: string, value: string | undefined): Decorator {
  const change: AnswerChange = (answer, { context }) => {
    const name = headerOf({ branded: 'Upstream-Status' }, context);
    if (value !== undefined) return withHeader(answer, name, value);
    const headers = new Headers(answer.headers);
    headers.delete(name);
    return { ...answer, headers };
  };
  return whenTold(isTold(outcome), change, { status: (seen) => seen >= 400 });
}

function entries(change: (entry: JsonObject) => JsonObject): Decorator {
  return rewriteAnswer({ on: ['runModel'], status: 422 }, (answer) => {
    const body = parseBody(answer);
    const detail = isJsonObject(body) ? body['detail'] : undefined;
    return Array.isArray(detail)
      ? withBody(answer, { detail: detail.map((entry) => (isJsonObject(entry) ? change(entry) : entry)) })
      : answer;
  });
}

type Swap = {
  outcome: string;
  as: string;
  status: number;
  category: string;
  requirements: readonly string[];
  trips: readonly string[];
};
const swaps: readonly Swap[] = [
  {
    outcome: 'content_policy_violation',
    as: 'invalid-input',
    status: 400,
    category: 'invalid_input',
    requirements: ['MR-CTG-06'],
    trips: ['MR-HDR-11'],
  },
  {
    outcome: 'content_policy_violation',
    as: 'provider-error',
    status: 502,
    category: 'provider_error',
    requirements: ['MR-CTG-06', 'MR-RUN-38'],
    trips: ['MR-HDR-11'],
  },
  {
    outcome: 'refused_request',
    as: 'provider-error',
    status: 502,
    category: 'provider_error',
    requirements: ['MR-RUN-38', 'MR-STC-01'],
    trips: ['MR-HDR-11'],
  },
  {
    outcome: 'provider_error',
    as: 'internal-error',
    status: 500,
    category: 'internal_error',
    requirements: ['MR-CTG-07', 'MR-RUN-55', 'MR-STC-16'],
    trips: ['MR-HDR-11'],
  },
  {
    outcome: 'uninterpretable',
    as: 'empty-result',
    status: 200,
    category: 'none',
    requirements: ['MR-CTG-07', 'MR-RUN-55'],
    trips: [],
  },
  {
    outcome: 'provider_timeout',
    as: 'deadline',
    status: 504,
    category: 'deadline_exceeded',
    requirements: ['MR-CTG-08'],
    trips: [],
  },
  {
    outcome: 'provider_timeout',
    as: 'provider-error',
    status: 502,
    category: 'provider_error',
    requirements: ['MR-CTG-08', 'MR-RUN-58', 'MR-STC-19'],
    trips: [],
  },
  {
    outcome: 'deadline_exceeded',
    as: 'provider-timeout',
    status: 504,
    category: 'provider_timeout',
    requirements: ['MR-CTG-16'],
    trips: ['MR-CTG-05', 'MR-IDM-48'],
  },
  {
    outcome: 'deadline_exceeded',
    as: 'unavailable',
    status: 503,
    category: 'service_unavailable',
    requirements: ['MR-CTG-16', 'MR-RUN-58', 'MR-STC-19'],
    trips: [],
  },
  {
    outcome: 'internal_error',
    as: 'unavailable',
    status: 503,
    category: 'service_unavailable',
    requirements: ['MR-CTG-15', 'MR-STC-15'],
    trips: [],
  },
  {
    outcome: 'service_unavailable',
    as: 'internal-error',
    status: 500,
    category: 'internal_error',
    requirements: ['MR-CTG-18', 'MR-RUN-57', 'MR-STC-17'],
    trips: [],
  },
  {
    outcome: 'service_unavailable',
    as: 'rate-limit',
    status: 429,
    category: 'rate_limited',
    requirements: ['MR-CTG-18', 'MR-RUN-57', 'MR-STC-17'],
    trips: ['MR-IDM-11', 'MR-RUN-52', 'MR-RUN-53', 'MR-RUN-54'],
  },
];

const swapFaults: readonly Fault[] = swaps.map(({ outcome, as, status, category, requirements, trips }) => ({
  id: `outcomes.${outcome.replaceAll('_', '-')}.as-${as}`,
  requirements,
  description: `What should be ${outcome} is answered ${status} ${category}.`,
  decorate: answeredAs(outcome, status, category),
  trips,
}));

export const outcomeFailureFaults: readonly Fault[] = [
  ...swapFaults,
  {
    id: 'outcomes.policy.upstream-missing',
    requirements: ['MR-RUN-41', 'MR-HDR-05'],
    description: 'The refusal of a provider does not tell the status that the provider gave.',
    decorate: upstream('content_policy_violation', undefined),
  },
  {
    id: 'outcomes.refused-request.upstream-is-the-routers-own',
    requirements: ['MR-HDR-05'],
    description: 'The upstream status of a refusal is the status of the router.',
    decorate: upstream('refused_request', '400'),
  },
  {
    id: 'outcomes.provider-error.upstream-missing',
    requirements: ['MR-RUN-56'],
    description: 'A 502 does not tell the status that the provider gave.',
    decorate: upstream('provider_error', undefined),
  },
  {
    id: 'outcomes.provider-error.upstream-is-the-routers-own',
    requirements: ['MR-HDR-05'],
    description: 'The upstream status of a 502 is always 502.',
    decorate: upstream('provider_error', '502'),
  },
  {
    id: 'outcomes.uninterpretable.upstream-is-words',
    requirements: ['MR-HDR-05'],
    description: 'The upstream status of an answer that is no result is a word.',
    decorate: upstream('uninterpretable', 'OK'),
  },
  {
    id: 'outcomes.refused-input.as-request-level',
    requirements: ['MR-RUN-49', 'MR-STC-11'],
    description: 'Fields that the provider refuses are answered with 400 and no entries.',
    decorate: answeredAs('refused_input', 400, 'invalid_input'),
    trips: ['MR-HDR-11'],
  },
  {
    id: 'outcomes.refused-input.as-provider-error',
    requirements: ['MR-CTG-03'],
    description: 'Fields that the provider refuses are called provider_error.',
    decorate: whenTold(isTold('refused_input'), (answer, { context }) =>
      withHeader(answer, headerOf({ branded: 'Error-Type' }, context), 'provider_error'),
    ),
    trips: ['MR-HDR-11'],
  },
  {
    id: 'outcomes.refused-input.ctx-empty',
    requirements: ['MR-ERR-18'],
    description: 'Entries whose reason has no bound get an empty one.',
    decorate: entries((entry) => ({ ctx: {}, ...entry })),
  },
  {
    id: 'outcomes.refused-input.input-null',
    requirements: ['MR-ERR-20'],
    description: 'Entries without an echoed input get one of null.',
    decorate: entries((entry) => ({ input: null, ...entry })),
  },
  {
    id: 'outcomes.refused-input.index-as-text',
    requirements: ['MR-ERR-14'],
    description: 'Array indices of a path are written as strings.',
    decorate: entries((entry) => ({ ...entry, loc: Array.isArray(entry['loc']) ? entry['loc'].map(String) : [] })),
  },
  {
    id: 'outcomes.refused-input.path-reversed',
    requirements: ['MR-ERR-13'],
    description: 'Paths of entries begin with the innermost part.',
    decorate: entries((entry) => ({ ...entry, loc: Array.isArray(entry['loc']) ? entry['loc'].toReversed() : [] })),
    trips: ['MR-ERR-14'],
  },
  {
    id: 'outcomes.refused-input.first-entry-only',
    requirements: ['MR-ERR-11', 'MR-ERR-10'],
    description: 'Of several failing fields only the first is told.',
    decorate: rewriteAnswer({ on: ['runModel'], status: 422 }, (answer) => {
      const body = parseBody(answer);
      const detail = isJsonObject(body) ? body['detail'] : undefined;
      return Array.isArray(detail) ? withBody(answer, { detail: detail.slice(0, 1) }) : answer;
    }),
    trips: ['MR-ERR-13', 'MR-ERR-14'],
  },
  {
    id: 'outcomes.invalid-input.charged',
    requirements: ['MR-STC-12'],
    description: 'A 422 of the router itself tells credits used.',
    decorate: rewriteAnswer({ on: ['runModel'], status: 422 }, (answer, { context }) =>
      withHeader(answer, headerOf({ branded: 'Credits-Used' }, context), '1'),
    ),
    trips: ['MR-HDR-27'],
  },
  {
    id: 'outcomes.deadline.hint-for-lost-work',
    requirements: ['MR-RUN-60', 'MR-IDM-07'],
    description: 'A 504 hints at collecting work to which no handle was kept.',
    decorate: whenTold(
      ({ input }) => input['collectable'] === false,
      (answer) => (answer.status === 504 ? withHeader(answer, 'Retry-After', '2') : answer),
    ),
  },
  {
    id: 'outcomes.too-large.run-as-400',
    requirements: ['MR-RUN-48', 'MR-STC-10'],
    description: 'A run with a body above the ceiling is answered with 400.',
    decorate: rewriteAnswer({ on: ['runModel'], status: 413 }, (answer) => ({ ...answer, status: 400 })),
  },
  {
    id: 'outcomes.too-large.submit-as-400',
    requirements: ['MR-SUB-19', 'MR-STC-10'],
    description: 'A submission with a body above the ceiling is answered with 400.',
    decorate: rewriteAnswer({ on: ['submitRequest'], status: 413 }, (answer) => ({ ...answer, status: 400 })),
  },
  {
    id: 'outcomes.too-large.taken',
    requirements: ['MR-RUN-48', 'MR-STC-10'],
    description: 'A run with a body above the ceiling succeeds.',
    decorate: rewriteAnswer({ on: ['runModel'], status: 413 }, (answer) => ({
      ...withText(answer, '{}'),
      status: 200,
    })),
  },
];
