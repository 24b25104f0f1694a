import type { CommandIo } from '../cli/io.ts';
import { guardIo } from '../cli/io.ts';

export type FakeIo = CommandIo & { readonly written: { out: string; err: string }; stop(): void };

/** Creates an io for tests that collects the output without colours, and requests a stop on `stop()`. */
export function fakeIo(given: { env?: Record<string, string>; workingFolder: string }): FakeIo {
  const written = { out: '', err: '' };
  const stopped = Promise.withResolvers<void>();
  const io = guardIo({
    env: given.env ?? {},
    workingFolder: given.workingFolder,
    isTerminal: false,
    out: (text) => {
      written.out += text;
    },
    err: (text) => {
      written.err += text;
    },
    style: (_style, text) => text,
    stopRequested: () => stopped.promise,
  });
  return { ...io, written, stop: () => stopped.resolve() };
}
