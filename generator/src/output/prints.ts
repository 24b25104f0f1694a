import { createHmac, type Hmac } from 'node:crypto';
import type { GenerateConfig } from '../config.ts';
import type { Diagnostic } from '../diagnostics.ts';
import { type Digest, digestOf } from '../digest.ts';
import type { EmitSettings } from '../emit/emitted-file.ts';
import type { Files, OpenFile, Spool } from '../ports.ts';
import { cacheFolderOf } from '../schemas/schema-cache.ts';
import type { PrintedFile } from './printed-file.ts';

/** The files of a model or a package, and what was said as they were printed. */
export type Print = { readonly files: readonly PrintedFile[]; readonly diagnostics: readonly Diagnostic[] };
/** What earlier runs printed. `from` is the digest of all that a print is made from. */
export type Prints = {
  recall(name: string, from: Digest): Print | undefined;
  /** As `recall`, for what is printed faster than a pack is read: looks only when something else was asked for before. */
  find(name: string, from: Digest): Print | undefined;
  add(name: string, from: Digest, print: Print): void;
  /** Keeps what was added for later runs, beside what was there. A run that never asked leaves a pack as it is. */
  save(): Promise<void>;
};

type Stored = {
  readonly format: 1;
  /** Of the generator's code. */
  readonly by: Digest;
  readonly prints: readonly (readonly [
    name: string,
    from: Digest,
    diagnostics: readonly Diagnostic[],
    files: StoredFile[],
  ])[];
};
/** `at` counts from the end of the index; bodies that are the same lie there once. */
type StoredFile = readonly [path: string, digest: Digest, at: number, size: number];
type Known = Print & { readonly from: Digest };

const encoder = new TextEncoder();
const decoder = new TextDecoder();

const format = 1;
const sealLength = 64; // hex digits
const lengthDigits = 12; // of the index, which comes first
const pieceLength = 1024 * 1024;
const bytesAtMost = 256 * 1024 * 1024;
const packsAtMost = 4; // of one source: each set of settings has its own

/** For runs that take nothing on trust. */
export const noPrints: Prints = {
  recall: () => undefined,
  find: () => undefined,
  add: () => {},
  save: async () => {},
};

/**
 * Printed files become code of packages, so a cache that others could write to may not bring them: they are sealed with the
 * credential, and what bears no such seal counts as absent. Without a credential nothing is remembered.
 */
export function openPrints(
  config: GenerateConfig,
  files: Files,
  { settings, code, spool }: { settings: EmitSettings; code: Digest; spool: Spool },
): Prints {
  const { credential } = config;
  if (credential === undefined) return noPrints;
  const openSeal = (): Hmac => createHmac('sha256', `prints\n${credential.kind}\n${credential.value}`);
  const root = `${cacheFolderOf(config)}/prints`;
  const name = `${digestOf(JSON.stringify([settings, config.specs.settings.brand])).slice('sha256:'.length, 40)}.pack`;
  const added = new Map<string, Known>();
  let known: ReadonlyMap<string, Known> | undefined;
  const open = (): ReadonlyMap<string, Known> => {
    try {
      const pack = spool.open(`${root}/${name}`);
      if (pack !== undefined) return readPack(pack, { seal: openSeal(), code });
    } catch {} // one that cannot be read counts as absent, too
    return new Map();
  };
  const find: Prints['find'] = (subject, from) => {
    const print = known?.get(subject);
    return print?.from === from ? print : undefined;
  };
  return {
    find,
    recall(subject, from) {
      known ??= open();
      return find(subject, from);
    },
    add: (subject, from, print) => void added.set(subject, { ...print, from }),
    async save() {
      if (added.size === 0 || (known === undefined && (await files.list(root)).includes(name))) return;
      const layout = layOut(new Map([...(known ?? []), ...added]), code);
      if (layout.size > bytesAtMost) return;
      await files.exclusively(root, async () => {
        const others = (await files.list(root)).filter((other) => other.endsWith('.pack') && other !== name);
        const bytes = (): Iterable<Uint8Array> => sealed(layout.parts(), openSeal());
        await files.store({ root, writes: [{ path: name, bytes }], removals: others.slice(packsAtMost - 1) });
      });
    },
  };
}

function* sealed(parts: Iterable<Uint8Array>, seal: Hmac): Iterable<Uint8Array> {
  for (const part of parts) {
    seal.update(part);
    yield part;
  }
  yield encoder.encode(seal.digest('hex'));
}

function readPack(pack: OpenFile, { seal, code }: { seal: Hmac; code: Digest }): Map<string, Known> {
  const end = pack.size - sealLength;
  if (end < lengthDigits) return new Map();
  for (let at = 0; at < end; at += pieceLength) seal.update(pack.read(at, Math.min(pieceLength, end - at)));
  if (decoder.decode(pack.read(end, sealLength)) !== seal.digest('hex')) return new Map();
  // Sealed, so it is our own from here on.
  const bodies = lengthDigits + Number(decoder.decode(pack.read(0, lengthDigits)));
  const stored: Stored = JSON.parse(decoder.decode(pack.read(lengthDigits, bodies - lengthDigits)));
  if (stored.format !== format || stored.by !== code) return new Map();
  const fileOf = ([path, digest, at, size]: StoredFile): PrintedFile => ({
    ...{ path, digest, size },
    read: () => [pack.read(bodies + at, size)],
  });
  return new Map(
    stored.prints.map(([name, from, diagnostics, files]) => [name, { from, diagnostics, files: files.map(fileOf) }]),
  );
}

function layOut(known: ReadonlyMap<string, Known>, code: Digest): { size: number; parts: () => Iterable<Uint8Array> } {
  const bodies = new Map<Digest, { at: number; file: PrintedFile }>();
  let size = 0;
  const store = (file: PrintedFile): StoredFile => {
    const { at } = bodies.get(file.digest) ?? { at: size };
    if (!bodies.has(file.digest)) {
      bodies.set(file.digest, { at, file });
      size += file.size;
    }
    return [file.path, file.digest, at, file.size];
  };
  const prints = [...known].map(
    ([name, { from, diagnostics, files }]) => [name, from, diagnostics, files.map(store)] as const,
  );
  const stored: Stored = { format, by: code, prints };
  return {
    size,
    *parts() {
      const index = encoder.encode(JSON.stringify(stored));
      yield encoder.encode(String(index.length).padStart(lengthDigits, '0'));
      yield index;
      for (const { file } of bodies.values()) yield* file.read();
    },
  };
}
