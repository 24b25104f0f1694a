import { sha256, sign } from '../digest.ts';

/** Outside the prefixes of both APIs. */
export const assetPrefix = '/__assets/';

/** `service`: copied to or written into the service's storage. `provider`: where the provider keeps it. */
export type AssetHolder = 'service' | 'provider';
export type Signing = { origin: string; signedAt: number; secret: string };

export function signingOf({ seed, origin }: { seed: number; origin: string }, signedAt: number): Signing {
  return { origin, signedAt, secret: assetSecret(seed) };
}

export function assetSecret(seed: number): string {
  return sha256(`assets ${seed}`);
}

/** A link that anyone may open until it expires, counted from its signing (MR-AST-15); times in milliseconds. */
export function signAssetUrl(
  asset: { holder: AssetHolder; label: string; mediaType: string; lifetimeMs: number },
  { origin, signedAt, secret }: Signing,
): string {
  const name = `${sha256(asset.label).slice(0, 32)}.${extensionOf(asset.mediaType)}`;
  const path = `${assetPrefix}${asset.holder}/${name}`;
  const expiresAt = signedAt + asset.lifetimeMs;
  return `${origin}${path}?expires=${expiresAt}&signature=${signatureOf(path, String(expiresAt), secret)}`;
}

export function signatureOf(path: string, expires: string, secret: string): string {
  return sign(secret, `${path} ${expires}`);
}

const extensions: ReadonlyMap<string, string> = new Map([
  ['image/png', 'png'],
  ['image/jpeg', 'jpeg'],
  ['image/webp', 'webp'],
  ['video/mp4', 'mp4'],
  ['audio/wav', 'wav'],
  ['model/gltf-binary', 'glb'],
]);
const mediaTypes: ReadonlyMap<string, string> = new Map([...extensions].map(([type, extension]) => [extension, type]));

function extensionOf(mediaType: string): string {
  return extensions.get(mediaType) ?? 'bin';
}

export function mediaTypeOf(extension: string): string {
  return mediaTypes.get(extension) ?? 'application/octet-stream';
}
