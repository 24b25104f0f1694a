import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import {
  type AppliedWaiver,
  applyWaivers,
  type ConformanceReport,
  failuresOf,
  listRules,
  parseResult,
  parseWaivers,
  renderBaseline,
  withComparison,
} from '../../../contract-tests/src/index.ts';
import { toMessage, UsageError } from '../errors.ts';
import type { ConformFlags } from '../flags.ts';
import type { CommandIo } from '../io.ts';
import type { LoadedConfig } from '../load-settings.ts';
import { holdsSecret } from '../report-error.ts';

/** What a team knows of its findings: waivers, and an earlier run to compare with. Read before anything is sent. */
export type Acceptance = {
  complete(report: ConformanceReport): ConformanceReport;
  /** The file that `--write-baseline` wrote. */
  written: string | undefined;
};

const defaultFile = 'conform-waivers.yaml';
const baselineDays = 30;
const dayMs = 24 * 3_600_000;

export async function readAcceptance(
  { folder, get }: LoadedConfig,
  flags: ConformFlags,
  io: CommandIo,
): Promise<Acceptance> {
  const named = get('conform.waivers');
  const file = named ?? resolve(folder, defaultFile);
  const isRead = existsSync(file) || (named !== undefined && !flags.writeBaseline);
  const existing = isRead ? usable(() => readFileSync(file, 'utf8')) : undefined;
  const waivers = existing === undefined ? [] : usable(() => parseWaivers(existing, file));
  const earlierFile = get('compare');
  const earlier =
    earlierFile === undefined ? undefined : usable(() => parseResult(readFileSync(earlierFile, 'utf8'), earlierFile));
  const baseline = flags.writeBaseline ? await askForBaseline(flags, io) : undefined;
  const ruleIds = new Set(listRules().map(({ id }) => id));
  const today = dayAfter(0);
  const acceptance: Acceptance = {
    written: undefined,
    complete: (run) => {
      let report = isRead ? applyWaivers(run, waivers, { today, ruleIds }) : run;
      if (baseline !== undefined && (existing !== undefined || failuresOf(report).length > 0)) {
        const text = renderBaseline(report, baseline, existing);
        if (text !== existing) {
          writeFileSync(file, text);
          acceptance.written = file;
        }
        report = applyWaivers(run, parseWaivers(text, file), { today, ruleIds });
      }
      return earlier === undefined ? report : withComparison(report, earlier);
    },
  };
  return acceptance;
}

/** Files of the caller that cannot be used are wrong usage. */
function usable<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new UsageError(toMessage(error), { cause: error });
  }
}

async function askForBaseline(flags: ConformFlags, io: CommandIo): Promise<AppliedWaiver> {
  const owner = await answer('owner', 'Who answers for these findings? ', flags.owner, io);
  const reason = await answer('reason', 'Why are they accepted? ', flags.reason, io);
  if (holdsSecret(`${owner}\n${reason}`, io)) throw new UsageError('--owner and --reason must not hold a credential');
  return { reason, owner, expires: dayAfter(baselineDays) };
}

async function answer(name: string, question: string, given: string | undefined, io: CommandIo): Promise<string> {
  const text = (given ?? (await io.ask?.(question)) ?? '').trim();
  if (text === '') throw new UsageError(`--write-baseline needs --owner and --reason; ${name} is missing`);
  return text;
}

function dayAfter(days: number): string {
  return new Date(Date.now() + days * dayMs).toISOString().slice(0, 10);
}
