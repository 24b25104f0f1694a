import { canonicalText, type DefinitionName, type JsonObject, visitParts } from '../../../specs/src/index.ts';
import { type Digest, toDigest } from '../content.ts';
import type { LockedModel } from '../output/lockfile.ts';
import { type Located, openDocument, type ShippedDocument } from './located-schema.ts';
import type { OutputTree } from './output-tree.ts';

/** A model of an output. */
export type ShippedModel = {
  readonly id: string;
  readonly locked: LockedModel;
  /** Undefined when the output has no schemas of the model. */
  readonly schemas: ShippedSchemas | undefined;
  /** The names that the model's declarations export. */
  readonly exports: ReadonlySet<string>;
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
      const exports = exportedNames(tree.text(pathTo('.d.ts')) ?? '');
      return [id, { id, locked, exports, schemas: root && readSchemas(root) }];
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

/** The pointers of the definitions that schemas of a document lead to. */
export function definitionsIn(roots: readonly Located[], { reader }: ShippedDocument): ReadonlySet<string> {
  const found = new Set(roots.map(({ schema }) => schema));
  const pointers = new Set<DefinitionName>();
  // The set grows while it is walked.
  for (const schema of found) {
    visitParts(schema, (part) => void found.add(part));
    const target = schema.ref === undefined ? undefined : reader.definitions().get(schema.ref);
    if (schema.ref !== undefined) pointers.add(schema.ref);
    if (target !== undefined) found.add(target);
  }
  return pointers;
}
