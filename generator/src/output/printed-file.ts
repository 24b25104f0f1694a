import { GeneratorError } from '../diagnostics.ts';
import { createDigest, type Digest, digestOf } from '../digest.ts';
import type { EmittedFile, EmittedPieces } from '../emit/emitted-file.ts';
import type { Spool } from '../ports.ts';

/** A file of the new output. Its bytes lie in the spool, for thousands of them would not fit in memory. */
export type PrintedFile = {
  readonly path: string;
  readonly digest: Digest;
  /** In bytes. */
  readonly size: number;
  readonly read: () => Iterable<Uint8Array>;
};

export async function keepFiles(files: readonly (EmittedFile | EmittedPieces)[], spool: Spool): Promise<PrintedFile[]> {
  const kept: PrintedFile[] = [];
  for (const file of files) kept.push('contents' in file ? keepFile(file, spool) : await keepPieces(file, spool));
  return kept;
}

/** For those whose files are all small. */
export function keepFile({ path, contents }: EmittedFile, spool: Spool): PrintedFile {
  const bytes = encode(contents);
  const read = spool.keep(bytes);
  return { path, digest: digestOf(bytes), size: bytes.length, read: () => [read()] };
}

async function keepPieces({ path, pieces }: EmittedPieces, spool: Spool): Promise<PrintedFile> {
  const digest = createDigest();
  const parts: (() => Uint8Array)[] = [];
  let size = 0;
  for await (const piece of pieces) {
    const bytes = encode(piece);
    size += bytes.length;
    digest.update(bytes);
    parts.push(spool.keep(bytes));
  }
  return {
    path,
    digest: digest.end(),
    size,
    *read() {
      for (const part of parts) yield part();
    },
  };
}

const encoder = new TextEncoder();
let scratch = new Uint8Array(64 * 1024);

/** Good until the next call: the spool takes a copy, and a buffer for each text would pile up. */
function encode(text: string): Uint8Array {
  const most = text.length * 3;
  if (scratch.length < most) scratch = new Uint8Array(most);
  return scratch.subarray(0, encoder.encodeInto(text, scratch).written);
}

export function textOf(file: PrintedFile): string {
  const decoder = new TextDecoder();
  let text = '';
  for (const part of file.read()) text += decoder.decode(part, { stream: true });
  return text + decoder.decode();
}

/** Two emitters that write one file are a mistake of ours; letting the last one win would hide it. */
export function refuseCollisions(files: readonly PrintedFile[]): void {
  const seen = new Map<string, PrintedFile>();
  for (const file of files) {
    const key = file.path.toLowerCase();
    const other = seen.get(key);
    // Named by their contents, validators are shared by models that ask for the same.
    if (other !== undefined && (other.path !== file.path || other.digest !== file.digest)) {
      throw new GeneratorError('path-collision', `two emitted files share the path ${file.path}`, {
        operation: 'emit',
      });
    }
    seen.set(key, file);
  }
}
