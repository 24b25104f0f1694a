import { GeneratorError } from '../diagnostics.ts';
import { type Digest, digestOf } from '../digest.ts';
import type { Files } from '../ports.ts';
import { lockName, parseLockfile, printLockfile } from './lockfile.ts';
import type { WritePlan } from './plan-writes.ts';

/** What lies in an output folder: its lockfile as text, and digests of the files asked for. */
export type OutputFolder = {
  readonly lockText: string | undefined;
  readonly lock: ReturnType<typeof parseLockfile>;
  digests(paths: Iterable<string>): Promise<Map<string, Digest>>;
};

export async function openOutput(outDir: string, files: Files): Promise<OutputFolder> {
  const bytes = (await files.read([`${outDir}/${lockName}`])).get(`${outDir}/${lockName}`);
  return {
    lockText: bytes === undefined ? undefined : new TextDecoder().decode(bytes),
    lock: parseLockfile(bytes),
    async digests(paths) {
      const found = await files.read([...new Set(paths)].map((path) => `${outDir}/${path}`));
      return new Map([...found].map(([path, content]) => [path.slice(outDir.length + 1), digestOf(content)]));
    },
  };
}

/** Makes the folder what the plan says, the lockfile last; writes nothing at all when nothing differs. */
export async function applyWrites(
  plan: WritePlan,
  target: { outDir: string; lockText: string | undefined },
  files: Files,
): Promise<void> {
  const lockText = printLockfile(plan.lock);
  const writes = plan.writes.flatMap((write) =>
    'file' in write ? [{ path: write.file.path, bytes: write.file.contents }] : [],
  );
  const removals = plan.writes.flatMap((write) => (write.kind === 'remove' ? [write.path] : []));
  if (writes.length === 0 && removals.length === 0 && lockText === target.lockText) return;
  try {
    await files.commit({ root: target.outDir, writes, removals, last: { path: lockName, bytes: lockText } });
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new GeneratorError('output-unwritable', `writing to ${target.outDir}: ${reason}`, {
      operation: 'applyWrites',
      help: 'Nothing is replaced before everything has been written aside; the earlier output is as it was.',
      cause,
    });
  }
}
