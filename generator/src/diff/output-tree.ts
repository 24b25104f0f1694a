import { canonicalText, type JsonObject } from '../../../specs/src/index.ts';
import { parseJsonObject } from '../content.ts';
import { GeneratorError } from '../diagnostics.ts';
import type { EmittedFile } from '../emit/emitted-file.ts';
import {
  type LockedModel,
  type Lockfile,
  lockedFiles,
  lockName,
  parseLockfile,
  requireLockfile,
} from '../output/lockfile.ts';
import type { Files } from '../ports.ts';
import { openDocument, type ShippedDocument } from './located-schema.ts';

/** An output, on the disk or in memory, as far as its data and declarations go. */
export type OutputTree = {
  readonly lock: Lockfile;
  /** Undefined when there is no such file, or it holds no JSON object. */
  json(path: string): JsonObject | undefined;
  /** Undefined when there is no such file. */
  text(path: string): string | undefined;
};

/** The output in a folder. Throws GeneratorError when no generation has written there. */
export async function readOutputTree(folder: string, files: Files): Promise<OutputTree> {
  const help = 'Name a folder that generate has written, such as the one given to --out.';
  const lock = requireLockfile(folder, files, { operation: 'readOutputTree', missing: help, damaged: help });
  return outputTreeFrom(lock, (path) => {
    const bytes = files.read(`${folder}/${path}`, folder);
    return bytes && new TextDecoder().decode(bytes);
  });
}

/** The output that a preview has made. */
export function openPreviewTree(files: readonly EmittedFile[]): OutputTree {
  const texts = new Map(files.map(({ path, contents }) => [path, contents]));
  const lock = parseLockfile(new TextEncoder().encode(texts.get(lockName)));
  if (lock !== undefined && lock !== 'damaged') return outputTreeFrom(lock, (path) => texts.get(path));
  throw new GeneratorError('output-missing', 'the preview has no lockfile', { operation: 'openPreviewTree' });
}

/** An output whose files are read by `read`; only those that the lockfile lists are. */
export function outputTreeFrom(lock: Lockfile, read: (path: string) => string | undefined): OutputTree {
  const locked = lockedFiles(lock);
  const text = (path: string): string | undefined => (locked.has(path) ? read(path) : undefined);
  return { lock, text, json: (path) => parseJsonObject(text(path)) };
}

/** A model of an output. */
export type ShippedModel = {
  readonly id: string;
  readonly locked: LockedModel;
  /** Its `schema.json`; undefined when the output has no schemas of it. */
  readonly document: ShippedDocument | undefined;
  /** The text of its schemas alone, without its id; empty where there are none. */
  readonly schemas: string;
  /** The text of its declarations; empty where there are none. */
  readonly declarations: string;
};

export function readShippedModels(tree: OutputTree): Map<string, ShippedModel> {
  return new Map(
    Object.entries(tree.lock.models).map(([id, locked]) => {
      const pathTo = (ending: string): string => Object.keys(locked.files).find((file) => file.endsWith(ending)) ?? '';
      const root = tree.json(pathTo('.schema.json'));
      const { input = null, outputs = null, $defs = null } = root ?? {};
      const schemas = root === undefined ? '' : canonicalText([input, outputs, $defs]);
      const declarations = tree.text(pathTo('.d.ts')) ?? '';
      return [id, { id, locked, document: root && openDocument(root), schemas, declarations }];
    }),
  );
}
