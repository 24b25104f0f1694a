import type { Brand, EffectiveSpecs } from '../../specs/src/index.ts';
import { type BrandWatch, createBrandWatch } from './brand-watch.ts';
import { type Credential, createRouterClient } from './catalog/router-client.ts';
import { type Digest, toDigest } from './digest.ts';
import { knownDocuments, openCachedDocuments } from './documents/cached-documents.ts';
import { type DocumentCache, openDocumentCache } from './documents/document-cache.ts';
import { openLockedDocuments } from './documents/locked-documents.ts';
import { openRouterDocuments } from './documents/router-documents.ts';
import type { DocumentSource } from './documents/schema-snapshot.ts';
import { type Arrangement, settingsForModels } from './emit/arrange-package.ts';
import type { EmitSettings, PackageNames } from './emit/emitted-file.ts';
import { type PackageSources, readPackageSources } from './emit/package-sources.ts';
import { lockedDocuments, refuseOtherOutput } from './output/lockfile.ts';
import { createInputsDigest, createIsCurrent, type DigestInputs } from './output/print-models.ts';
import { type Output, readOutput } from './output/read-output.ts';
import { createStagedOutput, type StagedOutput } from './output/staged-output.ts';
import type { Ports, Progress, Staging } from './ports.ts';
import type { VersionSetting } from './release/stamp-versions.ts';

/** Everything a run depends on beside its ports: nothing below has defaults of its own. */
export type GenerateConfig = {
  routerUrl: string;
  credential: Credential | undefined;
  /** Sent with every request, for gateways in front of the router; names in lower case. */
  headers: Readonly<Record<string, string>>;
  /** Values of these headers that no response may repeat. */
  secrets: readonly string[];
  outDir: string;
  /** Private to the user: model documents are not for shared caches (MR-SCH-11). */
  cacheDir: string;
  specs: EffectiveSpecs;
  packageNames: PackageNames;
  /** Globs over model ids; empty selects all. */
  only: readonly string[];
  concurrency: number;
  /** `check` writes nothing, neither output nor cache. */
  mode: 'write' | 'check';
  /** `offline` sends no request and reads the cache alone. */
  source: 'network' | 'offline';
  /** Builds exactly what the lockfile names, or fails; `only` does not apply. */
  frozen: boolean;
  allowEmpty: boolean;
  /** `types` leaves out schemas as data too. The router promises no output schema, so validators of outputs are optional. */
  parts: EmitSettings['parts'];
  arrangement: Arrangement;
  version: VersionSetting;
};

/** What the steps of a run work with: every setting is resolved here. */
export type Generation = {
  readonly specs: EffectiveSpecs;
  readonly brand: Brand;
  readonly brandWatch: BrandWatch;
  readonly selection: { readonly only: readonly string[]; readonly allowEmpty: boolean };
  readonly isFrozen: boolean;
  readonly settings: EmitSettings;
  readonly arrangement: Arrangement;
  readonly version: VersionSetting;
  readonly sources: PackageSources;
  /** Changes with the generator and its settings. */
  readonly code: Digest;
  readonly digestInputs: DigestInputs;
  readonly source: DocumentSource;
  readonly cache: DocumentCache;
  /** As it was before the run. */
  readonly output: Output;
  readonly staged: StagedOutput;
  readonly concurrency: number;
  readonly onProgress: Progress;
};

export function openGeneration(
  config: GenerateConfig,
  ports: Ports,
  { staging, onProgress }: { staging: Staging; onProgress: Progress },
): Generation {
  const { specs, mode, concurrency, only, allowEmpty, packageNames, parts, arrangement, version } = config;
  const { files } = ports;
  const { brand } = specs.settings;
  const brandWatch = createBrandWatch(brand);
  const isFrozen = config.frozen;
  const sources = readPackageSources(files);
  const settings: EmitSettings = { packageNames, generatorVersion: sources.version, parts };
  const digestInputs = createInputsDigest(sources.digest, {
    ...settingsForModels(settings, arrangement.layout),
    brand,
  });
  const code = toDigest(JSON.stringify([sources.code, settings, arrangement, brand]));
  const cache = openDocumentCache(config, files, { readOnly: mode === 'check' });
  // A check relies on nothing that an earlier run has left.
  const outputs: DocumentCache['outputs'] = mode === 'check' ? new Map() : cache.outputs;
  const output = readOutput(config.outDir, files, { outputs, code });
  refuseOtherOutput(config.outDir, output.lock, 'packages');
  return {
    specs,
    brand,
    brandWatch,
    isFrozen,
    settings,
    arrangement,
    version,
    sources,
    code,
    digestInputs,
    cache,
    output,
    concurrency,
    onProgress,
    selection: isFrozen ? { only: [], allowEmpty: true } : { only, allowEmpty },
    source: openSource(config, ports, { cache, output, brandWatch, onProgress }),
    staged: createStagedOutput(output, staging, files),
  };
}

function openSource(
  config: GenerateConfig,
  ports: Ports,
  { cache, output, brandWatch, onProgress }: Pick<Generation, 'cache' | 'output' | 'brandWatch' | 'onProgress'>,
): DocumentSource {
  const { routerUrl, credential, headers, secrets, specs, source, frozen } = config;
  const router =
    source === 'offline'
      ? undefined
      : createRouterClient(
          { routerUrl, credential, headers, secrets, brand: specs.settings.brand },
          ports,
          brandWatch.sawHeaders,
        );
  const known = knownDocuments(cache, createIsCurrent(output));
  if (frozen) return openLockedDocuments(router, known, lockedDocuments(output.lock));
  if (router !== undefined) return openRouterDocuments(router, known, onProgress);
  return openCachedDocuments(known, () => lockedDocuments(output.lock)?.map(({ entry }) => entry));
}
