import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type LocalServer, serveLocally } from '../local-servers.ts';
import { openShell } from './shell.ts';

/** A package that `npm pack` created. */
export type Tarball = { readonly file: string; readonly manifest: Manifest };
type Manifest = { readonly name: string; readonly version: string };

/** Packs the product, including the files that `prepack` builds. */
export async function packProduct(root: string, folder: string): Promise<Tarball> {
  const out = await openShell(root, {}).run(`npm pack --silent --pack-destination ${folder}`);
  return {
    file: join(folder, /^\S+\.tgz$/m.exec(out)?.[0] ?? ''),
    manifest: JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')),
  };
}

/** Serves one packed package, and redirects all other requests to the registry in the configuration of npm. */
export async function serveRegistry({ file, manifest }: Tarball): Promise<LocalServer> {
  const upstream = (await openShell('.', {}).run('npm config get registry 2>/dev/null')).trim();
  const bytes = readFileSync(file);
  const tarballPath = `/${manifest.name}/-/${manifest.name}-${manifest.version}.tgz`;
  const server = await serveLocally(({ url: path = '/' }, response) => {
    if (path === `/${manifest.name}`) {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(packument(manifest, bytes, server.url + tarballPath)));
    } else if (path === tarballPath) {
      response.setHeader('content-type', 'application/octet-stream');
      response.end(bytes);
    } else {
      response.writeHead(302, { location: new URL(path.slice(1), upstream).href }).end();
    }
  });
  return { ...server, url: `${server.url}/` };
}

function packument(manifest: Manifest, bytes: Buffer, tarball: string): object {
  const digest = (algorithm: string, encoding: 'base64' | 'hex'): string =>
    createHash(algorithm).update(bytes).digest(encoding);
  const dist = { tarball, shasum: digest('sha1', 'hex'), integrity: `sha512-${digest('sha512', 'base64')}` };
  return {
    name: manifest.name,
    'dist-tags': { latest: manifest.version },
    versions: { [manifest.version]: { ...manifest, dist } },
    time: { [manifest.version]: '2020-01-01T00:00:00.000Z' },
  };
}
