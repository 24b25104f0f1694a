import { expect, test } from 'vitest';
import { findInternals } from './leaks.ts';

test.each([
  ['a Python trace', 'Traceback (most recent call last):\n  File "/srv/run.py", line 12, in run'],
  ['a Python stack frame', 'boom: File "worker/tasks.py", line 8'],
  ['a Node stack frame', 'failed\n    at handle (/app/dist/server.js:12:5)'],
  ['a stack frame without a function name', 'failed\n    at file:///app/server.mjs:3:11\n'],
  ['a stack frame inside a line', 'Cannot read id at readModel (server.ts:12:5) of the router'],
  ['a JVM stack frame', 'boom at com.maker.Router.run(Router.java:41)'],
  ['a .NET stack frame', 'boom in C:\\build\\Router.cs:line 41'],
  ['a PHP stack frame', 'Undefined index in /var/www/run.php on line 3'],
  ['a Ruby stack frame', "app/run.rb:12:in 'call'"],
  ['a Go panic', 'panic: assignment to entry in nil map'],
  ['a goroutine', 'goroutine 7 [running]:'],
  ['a Rust panic', "thread 'main' panicked at src/main.rs:4:5"],
  ['an exception', 'ValueError: no such limit'],
  ['a JVM exception', 'java.lang.IllegalStateException was thrown'],
  ['a system error', 'connect ECONNREFUSED'],
  ['a memory address', 'the handler is at 0x7f3a9c001200'],
  ['an SQL query', 'near: SELECT id, key FROM api_keys'],
  ['a database constraint', 'duplicate key value violates unique constraint "jobs_pkey"'],
  ['a password', 'cannot connect with password=hunter22'],
])('finds a trace of the implementation: %s', (_, text) => {
  expect(findInternals(text, 'traces')).toBeDefined();
});

test.each([
  ['a private address', 'The upstream 10.0.3.7 did not answer.'],
  ['a private address with the prefix 172', 'upstream 172.20.0.5 closed'],
  ['an address with a port', 'cannot reach 52.1.2.3:8443'],
  ['an internal host', 'no route to runs.router.svc.cluster.local'],
  ['an internal cloud host', 'no route to ip-1-2-3.ec2.internal'],
  ['localhost', 'is localhost up?'],
  ['a database', 'postgres://router@db/keys is down'],
  ['a service with its port', 'redis-main:6379 refused the connection'],
  ['a file', 'cannot open /var/lib/router/catalog.db'],
  ['a file on Windows', 'cannot open D:\\router\\catalog.db'],
])('finds an internal host, address or file: %s', (_, text) => {
  expect(findInternals(text, 'traces')).toBeUndefined();
  expect(findInternals(text, 'all')).toBeDefined();
});

test.each([
  'No model with this id can be run.',
  'The value must be between 1 and 100, at 12:30:05 it was 101.',
  'See https://docs.example.test/errors/limits:4 for the limits of version 10.4.2.',
  'Nothing is served at /v2/models/a/b/c.',
  'The image is 1024:768 at most; the ratio 16:9 is not.',
  'Validation Error: the prompt is missing.',
  'Error: the cursor has expired.',
  'An internal error occurred. Select another model from the catalog, or update it.',
  'The request could not be completed at (or before) the deadline.',
  'prompt.txt: line 3 is too long.',
  'Das ging leider nicht.\nBitte prüfen. 請再試一次',
  'Send the header Idempotency-Key: a UUID such as 00000000-0000-4000-8000-000000000001.',
  'The file photo.local.png is too large, the limit is 10:1.',
  'Fields: data/items/0, src, lib.',
  'Your app/data/usage page lists the credits.',
])('finds no internal details in the text %j', (text) => {
  expect(findInternals(text, 'all')).toBeUndefined();
});

test('finds a stack trace far inside a long page', () => {
  expect(findInternals(`<html>${'<p>words</p>'.repeat(800)}Traceback (most recent call last):`, 'all')).toBeDefined();
});

test('the search for internal details finishes on long texts that almost match', () => {
  for (const part of ['at a', 'a.', '/a', 'A1', ' ', '1.1.1.', 'SELECT ', 'x-']) {
    expect(() => findInternals(part.repeat(1_000_000 / part.length), 'all'), part).not.toThrow();
  }
});
