import type { Brand } from '../../specs/src/index.ts';
import { type Asked, ask } from './ask.ts';
import type { CatalogEntry } from './catalog/catalog-entry.ts';
import type { Listing } from './catalog/list-models.ts';
import type { ModelId } from './catalog/model-id.ts';
import type { GenerateConfig, Progress } from './config.ts';
import type { Diagnostic } from './diagnostics.ts';
import { digestOf } from './digest.ts';
import { emitModel } from './emit/emit-model.ts';
import type { EmitSettings } from './emit/emitted-file.ts';
import { type PackageSources, readPackageSources } from './emit/package-sources.ts';
import { listPackagePrints } from './emit/packages.ts';
import { recallWitness } from './idle-run.ts';
import type { ModelBinding } from './model/model-binding.ts';
import { normalise } from './model/normalise.ts';
import {
  isIntact,
  type ModelPart,
  type OutputRequest,
  type PlannedOutput,
  planOutput,
} from './output/desired-output.ts';
import { createModelInputs } from './output/model-inputs.ts';
import { type OutputFolder, openOutput } from './output/output-folder.ts';
import { keepFile } from './output/printed-file.ts';
import { refuseDifferences } from './output/refuse-differences.ts';
import type { Ports, Spool } from './ports.ts';
import type { Notes } from './schemas/cache-index.ts';
import type { Gathered, IsCurrent } from './schemas/gathered.ts';
import { isNestedDeeper } from './schemas/nesting.ts';
import type { SchemaCache } from './schemas/schema-cache.ts';

/** One pass from catalog to plan: nothing has been written yet. */
export type MadeOutput = {
  readonly output: OutputFolder;
  readonly planned: PlannedOutput;
  readonly listing: Listing;
  readonly gathered: Gathered;
  readonly failed: readonly ModelId[];
  readonly generated: number;
  readonly diagnostics: readonly Diagnostic[];
  /** Puts into the cache what this pass has learnt. */
  readonly remember: () => Promise<void>;
};
/** Levels of a document; honest ones stay below fifty. */
const deepest = 300;
type Inputs = ReturnType<typeof createModelInputs>;

/** With `trust`, files that the lockfile and the cache vouch for are not made again. */
export async function makeOutput(
  config: GenerateConfig,
  ports: Ports,
  how: { trust: boolean; asked: Asked | undefined; spool: Spool; onProgress: Progress },
): Promise<MadeOutput> {
  const { brand } = config.specs.settings;
  const sources = await readPackageSources(ports.files);
  const witness = how.trust ? await recallWitness(config, ports) : new Map();
  const output = await openOutput(config.outDir, ports, witness);
  const settings = settingsOf(config, sources.version);
  const inputsOf = createModelInputs(sources.digest, { ...settings, brand });
  const isTrusted = (cache: SchemaCache): boolean => how.trust && isMadeBy(sources.code, output, cache);
  const isCurrent = ({ selected }: Listing, cache: SchemaCache): IsCurrent =>
    isTrusted(cache) ? createIsCurrent(selected, inputsOf, output) : () => false;
  const asked = how.asked ?? (await ask(config, ports, { ...how, lock: output.lock, isCurrent }));
  const { listing, gathered, cache } = asked;
  const trustLock = isTrusted(cache);
  const made = makeModels(gathered, listing.selected, { brand, settings, inputsOf, spool: how.spool });
  how.onProgress({ phase: 'output', done: 0 });

  const failed = [...gathered.failed, ...made.failed];
  const kept = [...gathered.current, ...failed];
  const packages: OutputRequest['packages'] = (models, readDeclarations) =>
    listPackagePrints({ specs: config.specs, models, readDeclarations, sources, settings });
  const request = { made: made.parts, kept, packages, settings, trustLock, spool: how.spool };
  const planned = await planOutput(request, output);
  if (config.frozen === true) refuseDifferences(planned.plan.lock, output.lock);
  const notes = notesOf(made);
  const isOurs = trustLock || failed.length === 0;
  return {
    ...{ output, planned, listing, gathered, failed },
    generated: made.parts.size + gathered.current.length,
    diagnostics: [
      ...listing.diagnostics,
      ...gathered.diagnostics,
      ...made.diagnostics,
      ...recalled(gathered.current, output, cache),
    ],
    remember: () =>
      cache.save({
        catalog: listing.fresh,
        snapshots: gathered.snapshots,
        notes,
        made: isOurs ? { lock: digestOf(planned.lockText), by: sources.code } : undefined,
      }),
  };
}

// A new version of the generator is seen by the inputs; another state of its code, while it is worked on, only by this.
function isMadeBy(code: PackageSources['code'], { lockText }: OutputFolder, cache: SchemaCache): boolean {
  return lockText !== undefined && cache.makerOf(digestOf(lockText)) === code;
}

function createIsCurrent(
  entries: readonly CatalogEntry[],
  inputsOf: Inputs,
  { lock, locked }: OutputFolder,
): IsCurrent {
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  return (id, facts) => {
    const entry = byId.get(id);
    const before = lock?.models[id];
    return (
      entry !== undefined &&
      before !== undefined &&
      before.inputs === inputsOf(entry, facts) &&
      isIntact(before.files, locked)
    );
  };
}

function settingsOf(
  { packageNames, typesOnly, outputValidators }: GenerateConfig,
  generatorVersion: string,
): EmitSettings {
  const parts = typesOnly === true ? 'types' : outputValidators === true ? 'all-validators' : 'input-validators';
  return { packageNames, generatorVersion, parts };
}

type Made = { parts: Map<ModelId, ModelPart>; failed: ModelId[]; diagnostics: Diagnostic[] };
type Making = { brand: Brand; settings: EmitSettings; inputsOf: Inputs; spool: Spool };

// One model after the other: nothing outlives it but the digests of its files, or thousands of them would not fit.
function makeModels({ snapshots }: Gathered, entries: readonly CatalogEntry[], making: Making): Made {
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  const made: Made = { parts: new Map(), failed: [], diagnostics: [] };
  for (const snapshot of snapshots) {
    const entry = byId.get(snapshot.modelId);
    if (entry === undefined) continue;
    const { binding, diagnostics } = isNestedDeeper(snapshot.read(), deepest)
      ? { binding: undefined, diagnostics: [tooDeep(entry.id)] }
      : normalise(snapshot, entry, making.brand);
    made.diagnostics.push(...diagnostics);
    if (binding === undefined) made.failed.push(entry.id);
    else made.parts.set(entry.id, partOf(binding, making));
  }
  return made;
}

function partOf(binding: ModelBinding, { settings, inputsOf, spool }: Making): ModelPart {
  const { modelId, entityTag, digest, chargesOnPolicyRejection } = binding;
  const inputs = inputsOf({ id: modelId, chargesOnPolicyRejection }, { entityTag, digest });
  const facts = { entityTag: entityTag ?? null, document: digest, chargesOnPolicyRejection, inputs };
  return { facts, files: emitModel(binding, settings).map((file) => keepFile(file, spool)) };
}

function tooDeep(model: ModelId): Diagnostic {
  return {
    severity: 'error',
    code: 'document-too-deep',
    model,
    message: `the schema document nests deeper than ${deepest} levels`,
    help: 'The model keeps its last good output, if it has one; the other models are not affected.',
  };
}

function notesOf({ parts, diagnostics }: Made): Map<ModelId, Notes> {
  const byModel = Map.groupBy(diagnostics, ({ model }) => model);
  return new Map(
    [...parts].map(([id, { facts }]) => [id, { inputs: facts.inputs, diagnostics: byModel.get(id) ?? [] }]),
  );
}

function recalled(current: readonly ModelId[], { lock }: OutputFolder, cache: SchemaCache): Diagnostic[] {
  return current.flatMap((id) => {
    const inputs = lock?.models[id]?.inputs;
    return inputs === undefined ? [] : cache.notes(id, inputs);
  });
}
