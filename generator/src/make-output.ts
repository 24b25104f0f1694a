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
import { noPrints, openPrints, type Print, type Prints } from './output/prints.ts';
import { refuseDifferences } from './output/refuse-differences.ts';
import type { Ports, Spool } from './ports.ts';
import type { Notes } from './schemas/cache-index.ts';
import type { Gathered, StandingOf } from './schemas/gathered.ts';
import { isNestedDeeper } from './schemas/nesting.ts';
import type { SchemaCache } from './schemas/schema-cache.ts';
import type { DocumentFacts, SchemaSnapshot } from './schemas/schema-snapshot.ts';

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
  const prints = how.trust
    ? openPrints(config, ports.files, { settings, code: sources.code, spool: how.spool })
    : noPrints;
  const standingOf = ({ selected }: Listing, cache: SchemaCache): StandingOf =>
    createStandingOf(selected, { inputsOf, prints, output: isTrusted(cache) ? output : undefined });
  const asked = how.asked ?? (await ask(config, ports, { ...how, lock: output.lock, standingOf }));
  const { listing, gathered, cache } = asked;
  const trustLock = isTrusted(cache);
  const made = makeModels(gathered, listing.selected, { brand, settings, inputsOf, prints, spool: how.spool });
  how.onProgress({ phase: 'output', done: 0 });

  const failed = [...gathered.failed, ...made.failed];
  const kept = [...gathered.current, ...failed];
  const packages: OutputRequest['packages'] = (models, readDeclarations) =>
    listPackagePrints({ specs: config.specs, models, readDeclarations, sources, settings });
  const request = { made: made.parts, kept, packages, prints, settings, trustLock, spool: how.spool };
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
    remember: async () => {
      await cache.save({
        catalog: listing.fresh,
        snapshots: gathered.snapshots,
        notes,
        made: isOurs ? { lock: digestOf(planned.lockText), by: sources.code } : undefined,
      });
      await prints.save().catch(() => {}); // it only saves time
    },
  };
}

// A new version of the generator is seen by the inputs; another state of its code, while it is worked on, only by this.
function isMadeBy(code: PackageSources['code'], { lockText }: OutputFolder, cache: SchemaCache): boolean {
  return lockText !== undefined && cache.makerOf(digestOf(lockText)) === code;
}

/** `output` when its lockfile can be believed. */
function createStandingOf(
  entries: readonly CatalogEntry[],
  { inputsOf, prints, output }: { inputsOf: Inputs; prints: Prints; output: OutputFolder | undefined },
): StandingOf {
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  return (id, facts) => {
    const entry = byId.get(id);
    if (entry === undefined) return undefined;
    const inputs = inputsOf(entry, facts);
    const before = output?.lock?.models[id];
    if (output !== undefined && before?.inputs === inputs && isIntact(before.files, output.locked)) return 'current';
    return prints.recall(id, inputs) === undefined ? undefined : 'printed';
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
type Making = { brand: Brand; settings: EmitSettings; inputsOf: Inputs; prints: Prints; spool: Spool };

// One model after the other: nothing outlives it but the digests of its files, or thousands of them would not fit.
function makeModels({ snapshots, printed }: Gathered, entries: readonly CatalogEntry[], making: Making): Made {
  const fresh = new Map(snapshots.map((snapshot) => [snapshot.modelId, snapshot]));
  const known = new Map(printed.map((document) => [document.modelId, document]));
  const made: Made = { parts: new Map(), failed: [], diagnostics: [] };
  for (const entry of entries) {
    const [snapshot, document] = [fresh.get(entry.id), fresh.get(entry.id) ?? known.get(entry.id)];
    if (document === undefined) continue;
    const facts = factsOf(entry, document, making.inputsOf);
    const print =
      snapshot === undefined ? making.prints.recall(entry.id, facts.inputs) : printModel(snapshot, entry, making);
    const { files, diagnostics = [] } = print ?? {};
    made.diagnostics.push(...diagnostics);
    if (files === undefined) made.failed.push(entry.id);
    else made.parts.set(entry.id, { facts, files });
    if (files !== undefined && snapshot !== undefined)
      making.prints.add(entry.id, facts.inputs, { files, diagnostics });
  }
  return made;
}

function factsOf(entry: CatalogEntry, { entityTag, digest }: DocumentFacts, inputsOf: Inputs): ModelPart['facts'] {
  const { chargesOnPolicyRejection } = entry;
  const inputs = inputsOf(entry, { entityTag, digest });
  return { entityTag: entityTag ?? null, document: digest, chargesOnPolicyRejection, inputs };
}

/** Without files when nothing can be made of the document. */
function printModel(
  snapshot: SchemaSnapshot,
  entry: CatalogEntry,
  { brand, settings, spool }: Making,
): Pick<Print, 'diagnostics'> & Partial<Print> {
  if (isNestedDeeper(snapshot.read(), deepest)) return { diagnostics: [tooDeep(entry.id)] };
  const { binding, diagnostics } = normalise(snapshot, entry, brand);
  if (binding === undefined) return { diagnostics };
  return { diagnostics, files: emitModel(binding, settings).map((file) => keepFile(file, spool)) };
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
