import { explainError } from '../errors.ts';
import type { Flags } from '../flags.ts';
import type { CommandIo } from '../io.ts';
import { withProgress } from '../io.ts';
import { createGet, loadConfig } from '../load-settings.ts';
import { holdsSecret } from '../report-error.ts';
import { type Check, checks, type Result, type Surroundings } from './doctor-checks.ts';

/** Looks at everything that a generation depends on, and says what to do; 1 when something keeps it from working. */
export async function runDoctor(flags: Flags<'doctor'>, io: CommandIo): Promise<number> {
  const results = await withProgress(io, async (show) => {
    show('looking at the surroundings');
    const empty = { config: {}, folder: io.workingFolder };
    const loaded = await loadConfig(flags, io).catch(() => ({ ...empty, get: createGet(flags, empty, io) }));
    const found: Surroundings = { flags, io, ...loaded, outcomes: [] };
    const all: ({ name: string } & Result)[] = [];
    for (const check of checks) all.push({ name: check.name, ...withoutSecrets(await runCheck(check, found), io) });
    return all;
  });
  const isFit = results.every(({ status }) => status !== 'bad');
  if (flags.json) io.out(`${JSON.stringify({ format: 1, isFit, checks: results })}\n`);
  else
    for (const { name, status, message, help } of results) {
      const state = io.style(styles[status], status.padEnd(8));
      io.out(`${state}${name.padEnd(15)} ${message.replace(/\p{Cc}/gu, ' ')}\n`);
      if (help !== undefined) io.out(`${' '.repeat(24)}${help}\n`);
    }
  return isFit ? 0 : 1;
}

const styles = { ok: 'good', warn: 'warn', bad: 'bad', skipped: 'dim' } as const;

async function runCheck({ run, help, failure = 'bad' }: Check, found: Surroundings): Promise<Result> {
  try {
    return await run(found);
  } catch (error) {
    const problem = explainError(error);
    return { status: failure, message: problem.message, help: [problem.help, help].filter(Boolean).join(' ') };
  }
}

// Messages may quote a response.
function withoutSecrets(result: Result, io: CommandIo): Result {
  if (!holdsSecret(`${result.message} ${result.help}`, io)) return result;
  return { status: result.status, message: 'left out, because it would show a credential' };
}
