import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import type { Spool } from '../ports.ts';
import { openSpool } from './spool.ts';

const opened: Spool[] = [];
afterEach(() => {
  for (const spool of opened.splice(0)) spool.close();
  vi.unstubAllEnvs();
});

function open(room: number): Spool {
  const spool = openSpool(room);
  opened.push(spool);
  return spool;
}

function bytesOf(seed: number, length: number): Uint8Array {
  return Uint8Array.from({ length }, (_, index) => (seed * 31 + index * 7) % 256);
}

test.each([
  { title: 'all in memory', room: 10_000_000 },
  { title: 'all in the file', room: 0 },
  { title: 'some of each', room: 3000 },
])('gives back what was put in, in any order and repeatedly: $title', ({ room }) => {
  const spool = open(room);
  const kept = [0, 1, 999, 1, 2_000_000, 0, 64, 4096].map((length, index) => {
    const bytes = bytesOf(index, length);
    return { bytes, read: spool.keep(bytes) };
  });
  for (const { bytes, read } of [...kept.toReversed(), ...kept]) expect(Buffer.compare(read(), bytes)).toBe(0);
});

test.each([0, 10_000])('keeps a copy: the buffer may be used again (room %i)', (room) => {
  const spool = open(room);
  const buffer = bytesOf(1, 100);
  const read = spool.keep(buffer);
  buffer.fill(0);
  expect([...read()]).toEqual([...bytesOf(1, 100)]);
});

test('leaves no name behind, while open or after', () => {
  const folder = mkdtempSync(join(tmpdir(), 'spool-test-'));
  vi.stubEnv('TMPDIR', folder);
  vi.stubEnv('TEMP', folder);
  try {
    const read = open(0).keep(bytesOf(1, 100));
    expect(readdirSync(folder)).toEqual([]);
    expect([...read()]).toEqual([...bytesOf(1, 100)]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
