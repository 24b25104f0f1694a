import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import type { Target } from '../contract/target.ts';
import { curlLine, curlNotes, shellHeaders } from './curl-line.ts';
import { createReportRedactor } from './redact.ts';
import type { ExchangeRecord } from './report.ts';

const key = 'sk-Live-0123456789';
const target: Target = {
  kind: 'live',
  router: { url: 'https://router.test', credentials: { main: key, colleague: 'sk-colleague-42' } },
  workflow: { url: 'https://workflow.test', credentials: { main: 'wf-token-0123' }, jobs: {} },
  variables: { router: { colleague: 'TEAM_KEY' } },
};
const secrets = { target, ...createReportRedactor(target) };
const environment = {
  SWITCHYARD_API_KEY: key,
  TEAM_KEY: 'sk-colleague-42',
  SWITCHYARD_WORKFLOW_TOKEN: 'wf-token-0123',
};

function createExchange(
  request: Partial<ExchangeRecord['request']>,
  response?: ExchangeRecord['response'],
): ExchangeRecord {
  return {
    step: 'ask',
    attempt: 1,
    request: { method: 'GET', url: 'https://router.test/v2/models', headers: [], body: { kind: 'none' }, ...request },
    response: response ?? { kind: 'response', status: 200, headers: [], body: { kind: 'none' } },
    startedAtMs: 0,
    durationMs: 1_200,
  };
}

/** Returns the arguments that curl would get from a real shell. */
function readArguments(line: string): readonly string[] {
  const script = `curl() { for one in "$@"; do printf '%s\\0' "$one"; done; }\n${line}`;
  const output = execFileSync('sh', ['-c', script], { env: { PATH: process.env['PATH'], ...environment } });
  return output.toString().split('\0').slice(0, -1);
}

describe('a curl line in a real shell', () => {
  test.each([
    ['an API key', 'router', 'X-API-Key', key],
    ['a key of a different caller', 'router', 'X-API-Key', 'sk-colleague-42'],
    ['a bearer token', 'workflow', 'Authorization', 'Bearer wf-token-0123'],
    ['a key with an extra character', 'router', 'X-API-Key', `${key}0`],
    ['a key without its last character', 'router', 'X-API-Key', key.slice(0, -1)],
    ['a key in capitals', 'router', 'Authorization', `Bearer ${key.toUpperCase()}`],
    ['a credential that is not a secret', 'router', 'X-API-Key', 'wrong "$HOME" `id` credential'],
  ] as const)('a curl command takes %s from the environment and never contains it', (_, api, name, value) => {
    const credentials = shellHeaders([[name, value]], api, secrets);
    const line = curlLine(createExchange({ headers: [[name, '[redacted]']], credentials }));
    expect(readArguments(line)).toContain(`${name}: ${value}`);
    for (const secret of Object.values(environment)) expect(line).not.toContain(secret);
  });

  test('a curl command reads a long body from a file', () => {
    const text = 'x'.repeat(1_001);
    const long = createExchange({ method: 'POST', body: { kind: 'text', text, sizeBytes: 1_001, isCut: false } });
    expect(curlLine(long)).toContain(' --data-binary @body ');
    expect(curlNotes(long)[0]).toMatch(/^first save the body, which has 1001 bytes, as the file "body"/);
  });

  test('a curl command reads the value of a redacted header from a variable that is named after the header', () => {
    const headers = [
      ['Authorization', `Basic ${btoa(`u:${key}`)}`],
      ['Cookie', 'sid=1'],
      ['X-Trace', `for ${key}`],
      ['X-Plain', 'as it is'],
    ] as const;
    expect(shellHeaders(headers, 'router', secrets)).toEqual([
      { header: 'Authorization', argument: `"Authorization: \${SWITCHYARD_HEADER_AUTHORIZATION}"` },
      { header: 'Cookie', argument: `"Cookie: \${SWITCHYARD_HEADER_COOKIE}"` },
      { header: 'X-Trace', argument: `"X-Trace: \${SWITCHYARD_HEADER_X_TRACE}"` },
    ]);
  });

  test.each(['sk-of-a-caller', '[redacted]', 'short'])(
    'a curl command takes the credential %s of recorded traffic from a variable that is named after the header',
    (value) => {
      const recorded: Target = { kind: 'live', router: { url: 'https://router.test', credentials: {} } };
      const shell = { target: recorded, ...createReportRedactor(recorded) };
      const argument = `"X-API-Key: \${SWITCHYARD_HEADER_X_API_KEY}"`;
      expect(shellHeaders([['X-API-Key', value]], 'router', shell)).toEqual([{ header: 'X-API-Key', argument }]);
    },
  );

  test('a curl command does not read a file if a body or a header begins with "@"', () => {
    const body = { kind: 'text', text: '@/etc/passwd', sizeBytes: 12, isCut: false } as const;
    const given = readArguments(curlLine(createExchange({ method: 'POST', headers: [['@/etc/passwd', 'x']], body })));
    expect(given[given.indexOf('@/etc/passwd') - 1]).toBe('--data-raw');
    expect(given.filter((one) => one.startsWith('@'))).toHaveLength(1);
  });

  test.each([
    "it's",
    '$(touch /tmp/never)',
    '`id`',
    '"; rm -rf .; "',
    '\\',
    '!!',
    '\n::error::x',
    '$HOME',
    '</script>',
    '*',
  ])('a curl command sends %j as text', (text) => {
    const request = {
      method: 'POST',
      headers: [['X-Odd', text]] as const,
      url: `https://router.test/v2/models?q=${text}`,
    };
    const line = curlLine(
      createExchange({ ...request, body: { kind: 'text', text, sizeBytes: text.length, isCut: false } }),
    );
    const given = readArguments(line);
    expect(given).toContain(`X-Odd: ${text}`);
    expect(given[given.indexOf('--data-raw') + 1]).toBe(text);
    expect(given.at(-1)).toBe(request.url);
  });
});

test('the notes on a curl command mention that a call may be billed', () => {
  const run = { method: 'POST', url: 'https://router.test/v2/models/a/b' };
  expect(curlNotes(createExchange(run))).toEqual(['this call may be billed']);
  expect(curlNotes(createExchange({ url: run.url }))).toEqual([]);
});

test.each([
  ['malformed', 'openssl s_client -quiet -connect router.test:443'],
  ['timeout', '--max-time'],
  ['tls', 'openssl s_client -connect router.test:443 -servername router.test'],
])('notes on a curl command explain how to see the failure %s', (because, hint) => {
  const notes = curlNotes(createExchange({}, { kind: 'no-response', because, detail: '' }));
  expect(notes.join()).toContain(hint);
});
