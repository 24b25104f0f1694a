import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../specs/src/index.ts';

/** Of switchyard. */
export function readPackageVersion(): string {
  const manifest: { version?: unknown } = JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8'));
  return String(manifest.version);
}
