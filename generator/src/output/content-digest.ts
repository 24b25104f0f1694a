import { isJsonObject, type JsonObject } from '../../../specs/src/index.ts';
import { type Digest, toDigest } from '../digest.ts';
import { parseJsonObject } from '../json-body.ts';
import type { Files } from '../ports.ts';

/**
 * The digest under which the lockfile lists a file with this text. That of a manifest leaves out its versions, the order of
 * its members and its layout: a release raises the version, and formatters rewrite manifests.
 */
export function contentDigest(path: string, text: string): Digest {
  const manifest = isManifest(path) ? parseJsonObject(text) : undefined;
  return toDigest(manifest === undefined ? text : neutral(manifest));
}

export function isManifest(path: string): boolean {
  return path.endsWith('/package.json');
}

/**
 * The digest of a file on the disk; `expected` when its content is what was expected, even if a checkout has changed its line
 * ends or a formatter its layout. Undefined when there is no such file.
 */
export function presentDigest(
  path: string,
  files: Files,
  { folder, expected }: { folder: string; expected?: Digest | undefined },
): Digest | undefined {
  const exact = files.digest(`${folder}/${path}`);
  if (exact === undefined || exact === expected) return exact;
  const bytes = files.read(`${folder}/${path}`);
  if (bytes === undefined) return exact;
  const text = withUnixLines(new TextDecoder().decode(bytes));
  if (expected === undefined) return isManifest(path) ? contentDigest(path, text) : exact;
  const isRestored =
    contentDigest(path, text) === expected || (path.endsWith('.json') && layouts(text).includes(expected));
  return isRestored ? expected : exact;
}

export function withUnixLines(text: string): string {
  return text.includes('\r\n') ? text.replaceAll('\r\n', '\n') : text;
}

/** The digests of a JSON file in the layouts in which such files are printed. */
function layouts(text: string): Digest[] {
  const value = parseJsonObject(text);
  return value === undefined ? [] : [2, 0].map((spaces) => toDigest(`${JSON.stringify(value, undefined, spaces)}\n`));
}

// Within a member the order counts: the first condition of an export that fits is taken.
function neutral(manifest: JsonObject): string {
  const { peerDependencies, ...rest }: JsonObject = { ...manifest, version: '0.0.0' };
  const peers = isJsonObject(peerDependencies) ? Object.keys(peerDependencies).sort() : [];
  return JSON.stringify([Object.entries(rest).sort(([left], [right]) => (left < right ? -1 : 1)), peers]);
}
