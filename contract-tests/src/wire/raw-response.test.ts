import { describe, expect, test } from 'vitest';
import { readRawResponse } from './raw-response.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const read = (text: string, ended: boolean) => {
  const reading = readRawResponse(bytes(text), ended);
  if (reading === undefined) return 'incomplete';
  return reading.kind === 'response' ? new TextDecoder().decode(reading.body) : reading.because;
};

describe('a response on the wire', () => {
  test.each([
    { name: 'a length', given: 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi', want: 'hi' },
    { name: 'a length not reached', given: 'HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nhi', want: 'incomplete' },
    { name: 'a length exceeded', given: 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nhi', want: 'malformed' },
    { name: 'a length in words', given: 'HTTP/1.1 200 OK\r\nContent-Length: two\r\n\r\nhi', want: 'malformed' },
    { name: 'a 304 with a body', given: 'HTTP/1.1 304 Not Modified\r\nETag: "a"\r\n\r\n{}', want: '{}' },
    {
      name: 'a 304 with the length of the full response',
      given: 'HTTP/1.1 304 X\r\nContent-Length: 9\r\n\r\n',
      want: '',
    },
    {
      name: 'chunks',
      given: 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nh\r\n1;x=y\r\ni\r\n0\r\n\r\n',
      want: 'hi',
    },
    {
      name: 'chunks with a trailer',
      given: 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nX: y\r\n\r\n',
      want: '',
    },
    {
      name: 'chunks that stop',
      given: 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhi',
      want: 'incomplete',
    },
    {
      name: 'chunks without sizes',
      given: 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nhi\r\n',
      want: 'malformed',
    },
    {
      name: 'bytes after the last chunk',
      given: 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nhi',
      want: 'malformed',
    },
    {
      name: 'an informational response before it',
      given: 'HTTP/1.1 103 Early\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi',
      want: 'hi',
    },
    { name: 'bare line ends', given: 'HTTP/1.1 200 OK\nContent-Length: 2\n\nhi', want: 'hi' },
    { name: 'text that is not HTTP', given: 'hello\r\n\r\n', want: 'malformed' },
    { name: 'a line that is no header', given: 'HTTP/1.1 200 OK\r\nhello\r\n\r\n', want: 'malformed' },
    { name: 'half a head', given: 'HTTP/1.1 200 OK\r\nConte', want: 'incomplete' },
  ])('$name', ({ given, want }) => {
    expect(read(given, false)).toBe(want);
  });

  test('ends with the connection when it has no length', () => {
    expect(read('HTTP/1.1 200 OK\r\n\r\nhi', false)).toBe('incomplete');
    expect(read('HTTP/1.1 200 OK\r\n\r\nhi', true)).toBe('hi');
  });

  test('keeps order, case and repetitions of header lines', () => {
    const reading = readRawResponse(bytes('HTTP/1.1 204 No Content\r\nX-B: 1 \r\nx-b:2\r\n\r\n'), false);
    expect(reading).toMatchObject({
      status: 204,
      headers: [
        ['X-B', '1'],
        ['x-b', '2'],
      ],
    });
  });

  test('is a reset when it is incomplete', () => {
    const reading = readRawResponse(bytes('HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nhi'), true);
    expect(reading).toMatchObject({ kind: 'no-response', because: 'reset' });
  });
});

test.each([
  ['a status line', (text: string) => `${text}\r\n\r\n`],
  ['a header line', (text: string) => `HTTP/1.1 200 OK\r\n${text}\r\n\r\n`],
  ['a length', (text: string) => `HTTP/1.1 200 OK\r\nContent-Length: ${text}\r\n\r\n`],
  ['a chunk size', (text: string) => `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${text}\r\n`],
])('quotes %s uncut, so that a credential in it is still recognised', (_, responseWith) => {
  for (let before = 20; before < 90; before++) {
    const reading = readRawResponse(bytes(responseWith(`${'x'.repeat(before)} sk-live-of-tests`)), false);
    expect(reading).toMatchObject({ because: 'malformed', detail: expect.stringContaining('sk-live-of-tests') });
  }
});
