import { type GenerationReport, generate, nodePorts, renderReport } from '../../../generator/src/index.ts';
import { loadConfig } from '../config.ts';
import type { GenerateFlags } from '../flags.ts';
import { resolveGenerateConfig } from '../generate-config.ts';
import { type CommandIo, startProgress } from '../io.ts';

export async function runGenerate(flags: GenerateFlags, io: CommandIo): Promise<number> {
  const loaded = await loadConfig(io.workingFolder, flags.config);
  const config = await resolveGenerateConfig(flags, loaded, io);
  const progress = await startProgress(io);
  try {
    const report = await generate(config, nodePorts(), ({ phase, done, total, model }) =>
      progress.step(phase, [total === undefined ? '' : `${done}/${total}`, model].filter(Boolean).join(' ')),
    );
    progress.end();
    io.out(flags.json ? `${JSON.stringify(report)}\n` : renderReport(report));
    return exitCode(report, {
      check: flags.check === true,
      strict: flags.strict ?? loaded.config.generate?.strict ?? false,
    });
  } finally {
    progress.end();
  }
}

function exitCode(report: GenerationReport, mode: { check: boolean; strict: boolean }): number {
  const incomplete = mode.strict && report.models.failed > 0;
  return incomplete || (mode.check && report.changed) || report.refused.length > 0 ? 1 : 0;
}
