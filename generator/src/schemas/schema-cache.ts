import { isJsonObject } from '../../../specs/src/index.ts';
import type { ModelId } from '../catalog/model-id.ts';
import type { Credential } from '../config.ts';
import { type Digest, digestOf, isDigest } from '../digest.ts';
import type { Files } from '../ports.ts';
import { parseJsonBody } from '../source/json-body.ts';
import type { SchemaSnapshot } from './schema-snapshot.ts';

type Known = { entityTag: string; digest: Digest };

/** Snapshots of one source as one credential sees it; whatever is damaged counts as absent. */
export type SchemaCache = {
  find(id: ModelId): { entityTag: string; bytes: Uint8Array; digest: Digest } | undefined;
  /** Writes what is new; nothing when all is known. Entries of models that were not asked for stay. */
  save(snapshots: readonly SchemaSnapshot[]): Promise<void>;
};

const indexName = 'index.json';

/** Documents are private to the credential that read them, so each source and credential has a folder of its own. */
export async function openSchemaCache(
  config: { cacheDir: string; baseUrl: string; credential: Credential | undefined },
  files: Files,
): Promise<SchemaCache> {
  const fingerprint =
    config.credential === undefined ? 'none' : digestOf(`${config.credential.kind} ${config.credential.value}`);
  const folder = `${config.cacheDir}/v1/${digestOf(`${config.baseUrl}\n${fingerprint}`).slice('sha256:'.length, 40)}`;
  const index = parseIndex((await files.read([`${folder}/${indexName}`])).get(`${folder}/${indexName}`));
  const objectPath = (digest: Digest): string => `objects/${digest.slice('sha256:'.length)}.json`;
  const wanted = [...new Set([...index.values()].map((known) => `${folder}/${objectPath(known.digest)}`))];
  const objects = await files.read(wanted);
  return {
    find(id) {
      const known = index.get(id);
      const bytes = known === undefined ? undefined : objects.get(`${folder}/${objectPath(known.digest)}`);
      if (known === undefined || bytes === undefined || digestOf(bytes) !== known.digest) return undefined;
      return { ...known, bytes };
    },
    async save(snapshots) {
      const fetched = snapshots.filter((one) => one.origin === 'fetched' && one.entityTag !== undefined);
      if (fetched.length === 0) return;
      for (const { modelId, entityTag, digest } of fetched) {
        if (entityTag !== undefined) index.set(modelId, { entityTag, digest });
      }
      await files.commit({
        root: folder,
        writes: fetched.map((one) => ({ path: objectPath(one.digest), bytes: one.bytes })),
        removals: [],
        last: { path: indexName, bytes: printIndex(index) },
        secret: true,
      });
    },
  };
}

function parseIndex(bytes: Uint8Array | undefined): Map<string, Known> {
  const body = bytes === undefined ? undefined : parseJsonBody(bytes, undefined);
  const models = body?.kind === 'json' && isJsonObject(body.value) ? body.value['models'] : undefined;
  if (!isJsonObject(models)) return new Map();
  return new Map(
    Object.entries(models).flatMap(([id, entry]): [string, Known][] => {
      if (!isJsonObject(entry)) return [];
      const { entityTag, digest } = entry;
      return typeof entityTag === 'string' && isDigest(digest) ? [[id, { entityTag, digest }]] : [];
    }),
  );
}

function printIndex(index: ReadonlyMap<string, Known>): string {
  const models = Object.fromEntries([...index].sort(([left], [right]) => (left < right ? -1 : 1)));
  return `${JSON.stringify({ format: 1, models }, undefined, 1)}\n`;
}
