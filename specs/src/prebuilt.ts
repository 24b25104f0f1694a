import { hash } from 'node:crypto';
import { join } from 'node:path';
import { fileExists, readText } from './files.ts';

/** Something that takes long to work out and follows from one text alone. */
export type PrebuiltKind = 'document' | 'paths' | 'script' | 'sources';
export type Prebuilt = { readonly kind: PrebuiltKind; readonly input: string; readonly output: string };

// Beside the built code only: sources may have changed since.
const folder = import.meta.filename.endsWith('.js') ? join(import.meta.dirname, '..', '..', 'prebuilt') : undefined;

/** What the build has worked out of this very input; nothing for an input that it did not know. */
export function readPrebuilt(kind: PrebuiltKind, input: string): string | undefined {
  if (folder === undefined) return undefined;
  const path = join(folder, prebuiltName(kind, input));
  return fileExists(path) ? readText(path) : undefined;
}

/** The file of `dist/prebuilt` for an input. */
export function prebuiltName(kind: PrebuiltKind, input: string): string {
  return `${kind}-${hash('sha256', input).slice(0, 32)}.txt`;
}
