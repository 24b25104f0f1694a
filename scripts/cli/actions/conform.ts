import { join, resolve } from 'node:path';
import {
  type ConformanceReport,
  conformToFolder,
  exitCodeOf,
  listRules,
  renderText,
  unmatchedRulePatterns,
} from '../../../contract-tests/src/index.ts';
import { loadConfig } from '../config.ts';
import { openTarget } from '../conform-target.ts';
import { UsageError } from '../errors.ts';
import type { ConformFlags } from '../flags.ts';
import { type CommandIo, startProgress } from '../io.ts';
import { effectiveSpecs, resolveSpecSettings } from '../settings.ts';
import { runSelfChecking } from './self-check.ts';

export async function runConform(flags: ConformFlags, io: CommandIo): Promise<number> {
  if (flags.listRules) return showRules(flags, io);
  if (flags.selfCheck) return runSelfChecking(flags, io);
  const loaded = await loadConfig(io.workingFolder, flags.config);
  const specs = await effectiveSpecs(resolveSpecSettings(flags, loaded, io.workingFolder));
  const outDir =
    flags.out === undefined
      ? resolve(loaded.folder, loaded.config.conform?.out ?? '.switchyard/conform')
      : resolve(io.workingFolder, flags.out);
  const rules = flags.rule ?? loaded.config.conform?.rules;
  const [unmatched] = unmatchedRulePatterns(rules ?? []);
  if (unmatched !== undefined)
    throw new UsageError(`no rule matches ${JSON.stringify(unmatched)}; switchyard conform --list-rules lists them`);
  const progress = await startProgress(io);
  if (flags.target === 'mock') progress.step('starting the mock'); // the others are there at once
  const opened = await openTarget({ flags, config: loaded.config, specs }, io).catch((error: unknown) => {
    progress.end();
    throw error;
  });
  try {
    progress.step(`judging ${opened.description}`);
    const input = { target: opened.target, specs, ...(rules === undefined ? {} : { rules }) };
    const report = await conformToFolder(input, outDir);
    progress.end();
    io.out(flags.json ? `${JSON.stringify(report)}\n` : summary(report, outDir, io));
    return exitCodeOf(report);
  } finally {
    progress.end();
    await opened.close();
  }
}

function summary(report: ConformanceReport, outDir: string, io: CommandIo): string {
  return `${renderText(report)}\n${io.style('dim', `report: ${join(outDir, 'result.json')} and junit.xml`)}\n`;
}

function showRules(flags: ConformFlags, io: CommandIo): number {
  const rules = listRules();
  io.out(
    flags.json
      ? `${JSON.stringify(rules, null, 2)}\n`
      : rules
          .map(
            (rule) =>
              `${io.style('strong', rule.id)}  ${io.style('dim', `${rule.cost} ${rule.requirements.join(' ')}`)}\n`,
          )
          .join(''),
  );
  return 0;
}
