import { canonicalText, type JsonObject } from '../../../specs/src/index.ts';
import { type Digest, parseJsonObject, toDigest } from '../content.ts';
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
    const bytes = files.read(`${folder}/${path}`);
    return bytes && new TextDecoder().decode(bytes);
  });
}

/** The output that a preview has made. */
export function openPreviewTree(files: readonly EmittedFile[]): OutputTree {
  const texts = new Map(files.map(({ path, contents }) => [path, contents]));
  const lock = parseLockfile(new TextEncoder().encode(texts.get(lockName)));
  if (lock !== undefined && lock !== 'damaged') return outputTreeFrom(lock, (path) => texts.get(path));
  throw new GeneratorError('output-missing', 'the preview has no lockfile', { operation: 'outputTreeOf' });
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
  /** Undefined when the output has no schemas of the model. */
  readonly schemas: ShippedSchemas | undefined;
  /** The names that the model's declarations export. */
  readonly exports: ReadonlySet<string>;
  /** The text of the declarations; empty where there are none. */
  readonly declarations: string;
};
export type ShippedSchemas = {
  /** The model's `schema.json`. */
  readonly document: ShippedDocument;
  /** Of the schemas alone, without the model's id. */
  readonly digest: Digest;
  /** Whether the schemas are so short that many models have the same. */
  readonly isCommon: boolean;
};

export function readShippedModels(tree: OutputTree): Map<string, ShippedModel> {
  return new Map(
    Object.entries(tree.lock.models).map(([id, locked]) => {
      const pathTo = (ending: string): string => Object.keys(locked.files).find((file) => file.endsWith(ending)) ?? '';
      const root = tree.json(pathTo('.schema.json'));
      const declarations = tree.text(pathTo('.d.ts')) ?? '';
      return [
        id,
        { id, locked, declarations, exports: exportedNames(declarations), schemas: root && readSchemas(root) },
      ];
    }),
  );
}

// Text of a document never starts a line of declarations.
function exportedNames(declarations: string): Set<string> {
  const names = declarations.matchAll(/^export (?:type|declare (?:const|function)) ([\w$]+)/gm);
  return new Set([...names].flatMap(([, name]) => name ?? []));
}

function readSchemas(root: JsonObject): ShippedSchemas {
  const { input = null, outputs = null, $defs = null } = root;
  const text = canonicalText([input, outputs, $defs]);
  return { document: openDocument(root), digest: toDigest(text), isCommon: text.length < 400 };
}
