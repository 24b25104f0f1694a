import { resolve } from 'node:path';
import {
  buildEffectiveSpecs,
  defaultSpecSettings,
  type EffectiveSpecs,
  parseBrand,
  SpecError,
  type SpecSettings,
} from '../../specs/src/index.ts';
import { UsageError } from './command-error.ts';
import type { LoadedConfig } from './config-file.ts';
import type { SpecFlags } from './flags.ts';

/** Flags over environment over configuration file over defaults. */
export function resolveSpecSettings(flags: SpecFlags, loaded: LoadedConfig, workingFolder: string): SpecSettings {
  const fromFlags = flags.overlay?.map((file) => resolve(workingFolder, file));
  const fromConfig = loaded.config.overlays?.map((file) => resolve(loaded.folder, file));
  return {
    brand: parseBrandSetting(flags.brand ?? loaded.config.brand ?? defaultSpecSettings.brand),
    queueStatuses:
      parseQueueStatuses(flags.queueStatuses) ?? loaded.config.queueStatuses ?? defaultSpecSettings.queueStatuses,
    overlays: fromFlags ?? fromConfig ?? [],
  };
}

/** The effective specifications; what cannot be used of the settings is wrong usage. */
export async function effectiveSpecs(settings: SpecSettings): Promise<EffectiveSpecs> {
  try {
    return await buildEffectiveSpecs(settings);
  } catch (error) {
    if (error instanceof SpecError) throw new UsageError(error.message, { cause: error });
    throw error;
  }
}

function parseBrandSetting(text: string): SpecSettings['brand'] {
  try {
    return parseBrand(text);
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

function parseQueueStatuses(text: string | undefined): SpecSettings['queueStatuses'] | undefined {
  if (text === undefined) return undefined;
  const [waiting, running, ...more] = text.split(',').map((part) => part.trim());
  if (!waiting || !running || more.length > 0 || waiting === running || [waiting, running].includes('COMPLETED')) {
    throw new UsageError(
      `--queue-statuses takes two different names other than COMPLETED, separated by a comma; got ${JSON.stringify(text)}`,
    );
  }
  return [waiting, running];
}
