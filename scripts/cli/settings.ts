import { reportFormats } from '../../contract-tests/src/report/formats.ts';
import { ownerSettings, type Requisite } from '../../contract-tests/src/requires.ts';
import * as kinds from './kinds.ts';
import { type AnySetting, setting } from './kinds.ts';

// Every setting is stated here, once. Types, checks, flags, help texts and docs/reference/configuration.md are made of them;
// `npm run settings` writes those of them that are files.

function deadline<const Name extends string>(name: Name, otherwise: string, says: string) {
  return setting(kinds.duration, says, { otherwise, option: `${name}Deadline`, rare: true } as const);
}

// A setting is a flag of the commands that its group names; those of `fileSettings` itself are flags where `flags.ts` says so.

/** Flags of each command that reads the source. */
export const sourceSettings = {
  'generate.cache': setting(kinds.folder, 'folder of the private document cache', {
    default: '.switchyard/cache',
    rare: true,
  }),
  'generate.concurrency': setting(kinds.wholeNumber(1, 64), 'requests at once', { default: 8, rare: true }),
  'generate.deadline': setting(kinds.duration, 'longest time; models that are not read by then count as failed', {
    otherwise: '10m, and 50ms for each model',
    rare: true,
  }),
  'generate.allowEmpty': setting(kinds.yes, 'accept an empty catalog', { default: false, rare: true }),
  'generate.allowFailed': setting(
    kinds.wholeNumber(0, 200_000),
    'so many documents may be unreadable; with more, the exit code is 3',
    { default: 0, rare: true },
  ),
};
/** Flags of each command for which it matters what is generated. */
export const outputSettings = {
  'generate.only': setting(
    kinds.globs,
    'only models whose id matches; files of other models are removed from the output',
    { default: [] },
  ),
  'generate.scope': setting(kinds.text, 'the npm scope of the packages', {
    otherwise: 'that of the output, else of the nearest package.json',
    argument: '<@name>',
  }),
  'generate.layout': setting(kinds.choice('packages', 'folder'), 'packages, or a folder of plain files', {
    otherwise: 'packages when there is a scope',
  }),
  'generate.routerOnly': setting(kinds.yes, 'leave out the client of the Workflow Execution API', {
    default: false,
    rare: true,
  }),
  'generate.outputValidators': setting(kinds.yes, 'also make validators of outputs', { default: false, rare: true }),
  'generate.typesOnly': setting(kinds.yes, 'leave out validators and schemas as data', { default: false, rare: true }),
  'generate.inputTuples': setting(
    kinds.yes,
    'lists of inputs with a fixed number of items, or at least one, as tuples, as those of outputs are',
    { default: false, rare: true },
  ),
};
/** Flags of `generate`. */
export const writeSettings = {
  'generate.out': setting(kinds.folder, 'folder of the packages', { default: 'generated' }),
  'generate.version': setting(
    kinds.version,
    'version of the packages; auto: what the changes since the last release ask for',
    { otherwise: 'kept', option: 'packageVersion' },
  ),
  'generate.strict': setting(kinds.yes, 'exit 1 when any model could not be generated', { default: false }),
};
/** Flags of `conform`. */
export const checkSettings = {
  'conform.rules': setting(kinds.globs, 'only rules whose id matches, with the rules they need', { option: 'rule' }),
  'conform.deadlines.request': deadline('request', '10s', 'longest wait for a response'),
  'conform.deadlines.held': deadline('held', '10m', 'longest wait for the response to a run of a live target'),
  'conform.deadlines.rule': deadline('rule', '60s', 'longest time of a rule'),
  'conform.deadlines.run': deadline('run', '10m', 'longest time of the whole check'),
  'conform.hooks.url': setting(kinds.address, 'address of the test hooks of a staging build', {
    option: 'hooks',
    isRequired: true,
    rare: true,
  }),
  'conform.hooks.credential': setting(kinds.secret, 'where their bearer credential is', {
    option: 'hooksCredential',
    rare: true,
  }),
  'conform.live.budget': setting(
    kinds.wholeNumber(0, 10_000),
    'how many runs a live target may be asked for in all; conform.live.models must name their models',
    { default: 0 },
  ),
  'conform.live.maxRps': setting(kinds.positive, 'the most requests per second', { otherwise: 'no limit', rare: true }),
};
/** Flags of `conform`. */
export const reportSettings = {
  'conform.out': setting(kinds.folder, 'folder of the reports', { default: '.switchyard/conform' }),
  'conform.report': setting(kinds.someOf(reportFormats), `further reports: ${reportFormats.join(', ')}`, {
    default: [],
    argument: '<formats>',
  }),
  'conform.waivers': setting(kinds.path, 'accepted findings', {
    otherwise: 'conform-waivers.yaml when present',
    rare: true,
  }),
};

/** Settings of `switchyard.config.ts`, by their path in it. */
export const fileSettings = {
  brand: setting(kinds.text, "the maker's word in header names and extension keys", {
    otherwise: 'what the source shows, else Service',
    variable: 'SWITCHYARD_BRAND',
    argument: '<word>',
    rare: true,
  }),
  queueStatuses: setting(kinds.statusPair, 'the two queue statuses beside COMPLETED', {
    otherwise: 'IN_QUEUE,IN_PROGRESS',
    variable: 'SWITCHYARD_QUEUE_STATUSES',
    rare: true,
  }),
  overlays: setting(kinds.paths, 'OpenAPI Overlay 1.0 documents, applied in order', {
    default: [],
    option: 'overlay',
    rare: true,
  }),
  routerUrl: setting(kinds.address, 'base address of the Model Router', { variable: 'SWITCHYARD_ROUTER_URL' }),
  workflowUrl: setting(kinds.address, 'base address of the Workflow Execution API', {
    variable: 'SWITCHYARD_WORKFLOW_URL',
  }),
  'http.headers': setting(
    kinds.headers,
    'sent with every request, for gateways; env:NAME and command:PROGRAM ARGUMENT… are secrets, other text is the value itself',
  ),
  'http.ca': setting(kinds.text, 'PEM file with an authority to trust'),
  'http.cert': setting(kinds.text, "PEM file with the client's certificate"),
  'http.key': setting(kinds.text, 'PEM file with the key of that certificate'),
  'http.passphrase': setting(kinds.secret, 'passphrase of the key'),
  ...writeSettings,
  ...sourceSettings,
  ...outputSettings,
  'generate.releaseTags': setting(kinds.text, 'tags of releases, such as packages-v*, for the version auto', {
    otherwise: 'the present commit counts as released',
  }),
  'generate.license': setting(kinds.text, 'license of the packages'),
  'generate.author': setting(kinds.text, 'author of the packages'),
  'generate.publish.access': setting(kinds.choice('public', 'restricted'), 'who may install the packages', {
    otherwise: 'restricted',
  }),
  'generate.publish.publishConfig': setting(
    kinds.publishConfig,
    'other members of publishConfig, such as registry or provenance',
  ),
  'generate.packages.modelRouter': setting(kinds.packageName, 'full name, in place of scope and default name'),
  'generate.packages.workflowExecution': setting(kinds.packageName, 'full name, in place of scope and default name'),
  'generate.packages.models': setting(kinds.packageName, 'full name, in place of scope and default name'),
  'docs.name': setting(kinds.text, 'name of the site about the models', { default: 'Models' }),
  'docs.colour': setting(kinds.colour, 'colour of its buttons and marks, such as #0a6e5c'),
  ...reportSettings,
  ...checkSettings,
  'conform.redact.headers': setting(kinds.ids, 'further headers whose values no report shows'),
  'conform.redact.query': setting(kinds.ids, 'query parameters whose values no report shows'),
  'conform.redact.pointers': setting(
    kinds.ids,
    'JSON pointers to members of bodies that no report shows; * is every member or item',
  ),
  'conform.readings': setting(
    kinds.readings,
    "our readings that a live target has to share where the text is silent, by their ids: { 'NS-40': 'required' }, or 'required' for all",
    { otherwise: 'what departs from a reading is noted, and does not fail' },
  ),
  'conform.live.scheme': setting(kinds.choice('api-key', 'bearer'), 'how the router takes the credential main', {
    otherwise: 'api-key, unless it comes from SWITCHYARD_TOKEN',
  }),
  'conform.live.workflowAuthentication': setting(
    kinds.choice('required', 'open'),
    'whether every call of the Workflow Execution API needs a credential',
    { otherwise: 'either is accepted' },
  ),
};

/** What an owner can give, as the gate lists it. */
function listed(place: string, kind: AnySetting['kind'], rows: readonly Pick<Requisite, 'name' | 'sentence'>[]) {
  const says = (sentence: string): string =>
    `${sentence.charAt(0).toLowerCase()}${sentence.slice(1).replace(/\.$/, '')}`;
  return Object.fromEntries(rows.map(({ name, sentence }) => [`${place}.${name}`, setting(kind, says(sentence))]));
}

const models = 'conform.live.models[]';
const accept = 'generate.accept[]';
/** The same with those of the lists of an owner, which commands read as a whole; `[]` follows the name of a list. */
export const configurable: Readonly<Record<string, AnySetting>> = {
  ...fileSettings,
  [`${accept}.model`]: setting(kinds.text, 'a glob over model ids; ** also accepts what belongs to no model', {
    isRequired: true,
  }),
  [`${accept}.code`]: setting(kinds.text, 'the code of the diagnostic, as the report prints it', { isRequired: true }),
  [`${accept}.until`]: setting(kinds.date, 'the last day, such as 2027-01-31', { otherwise: 'for good' }),
  ...listed('conform.jobs', kinds.jobId, ownerSettings.jobs),
  ...listed('conform.live.credentials.router', kinds.secret, ownerSettings.routerCredentials),
  ...listed('conform.live.credentials.workflow', kinds.secret, ownerSettings.workflowCredentials),
  ...listed('conform.live.graphs', kinds.path, ownerSettings.graphs),
  [`${models}.id`]: setting(kinds.modelId, 'a model that may run', { isRequired: true }),
  ...listed('conform.live', kinds.yes, ownerSettings.statements),
  'conform.live.ceiling': setting(
    kinds.wholeNumber(1, 100 * 1024 * 1024),
    'the most bytes of a request body that the router accepts; the gate sends one byte more',
  ),
  ...listed(models, kinds.writtenInput, ownerSettings.inputs),
  [`${models}.input`]: setting(
    kinds.writtenInput,
    "valid against the model's own schema; as JSON text or a file it is sent as it stands",
    { isRequired: true },
  ),
  [`${models}.alternate.provider`]: setting(kinds.text, 'as `model_provider` names it', { isRequired: true }),
  [`${models}.alternate.input`]: setting(kinds.input, 'an input that the model and this provider accept', {
    isRequired: true,
  }),
  [`${models}.alternate.drops`]: setting(kinds.globs, 'the fields of that input that the conversion drops', {
    isRequired: true,
  }),
  [`${models}.fallback.value`]: setting(kinds.text, 'as `fallback_provider` takes it', { isRequired: true }),
  [`${models}.fallback.input`]: setting(
    kinds.input,
    'an input on which the first provider fails and another one serves',
    { isRequired: true },
  ),
  [`${models}.barred`]: setting(kinds.yes, 'the credential `barred` has no access to this model'),
  [`${models}.linkHours`]: setting(kinds.positive, 'how many hours the links are valid that the service signs'),
  [`${models}.deterministic`]: setting(kinds.yes, 'equal inputs give equal outputs'),
  [`${models}.maxCostCents`]: setting(kinds.cents, 'the most that a run costs; --plan adds it up'),
};
