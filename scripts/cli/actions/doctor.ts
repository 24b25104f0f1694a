import { existsSync } from 'node:fs';
import { ownerSettings } from '../../../contract-tests/src/requires.ts';
import { GeneratorError, nodePorts, type RouterReply } from '../../../generator/src/index.ts';
import {
  asObject,
  compileSchema,
  isJsonObject,
  type JsonObject,
  readModelOperation,
  readPackageVersion,
} from '../../../specs/src/index.ts';
import * as access from '../access.ts';
import type { Flags } from '../commands.ts';
import { CommandFailure, explainError, isUsageError, UsageError } from '../errors.ts';
import { type CommandIo, type CommandResult, withProgress } from '../io.ts';
import { type LoadedConfig, listConfigFiles, loadConfig, resolveConfig } from '../load-settings.ts';
import { describeLiveTarget } from '../targets.ts';
import { openRouter, readDocument } from './generate.ts';

type Surroundings = { readonly loaded: LoadedConfig; readonly flags: Flags<'doctor'>; readonly io: CommandIo };
type Check = {
  readonly name: string;
  /** Advice if `run` throws. */
  readonly help: string;
  /** Exit code for a problem: 2 for an invalid setting, otherwise 3. A `warning` doesn't change the exit code. */
  readonly isWarning?: true;
  /** Returns the result, or undefined if the check doesn't apply. Throws for a problem. */
  run(surroundings: Surroundings): string | undefined | Promise<string | undefined>;
};

type Line = { name: string; status: 'ok' | 'warn' | 'bad'; message: string; help?: string };

/** Checks what generate and conform depend on: a line per check, with advice. The exit code is 0, 2 or 3. */
export async function runDoctor(flags: Flags<'doctor'>, io: CommandIo): Promise<CommandResult> {
  // If the configuration cannot be read, use an empty one here; the configuration check reports the problem.
  const empty = { written: {}, folder: io.workingFolder };
  const loaded = await loadConfig(flags, io).catch(() => {
    return { ...empty, config: resolveConfig(flags, empty, { ...io, env: {} }) };
  });
  const lines: Line[] = [];
  let code = 0;
  await withProgress(io, async (show) => {
    show('checking settings and services');
    for (const { name, help, isWarning, run } of checks)
      try {
        const message = await run({ loaded, flags, io });
        if (message !== undefined) lines.push({ name, status: 'ok', message });
      } catch (error) {
        const { message, help: ownHelp = '' } = explainError(error);
        lines.push({ name, status: isWarning ? 'warn' : 'bad', message, help: `${ownHelp} ${help}`.trim() });
        if (!isWarning && code !== 2) code = isUsageError(error) ? 2 : 3;
      }
  });
  return { report: { format: 1, isFit: code === 0, checks: lines }, code, text: () => render(lines, io) };
}

function render(lines: readonly Line[], io: CommandIo): string {
  const texts = lines.map(({ name, status, message, help }) => {
    const state = io.style(status === 'ok' ? 'good' : status, status.padEnd(5));
    const line = `${state}${name.padEnd(15)} ${message.replace(/\p{Cc}/gu, ' ')}\n`;
    return help === undefined ? line : `${line}${' '.repeat(21)}${help}\n`;
  });
  return texts.join('');
}

/** They only send GET requests, so they can't start a run. */
const checks: readonly Check[] = [
  { name: 'node', help: '', run: () => `${process.version}, switchyard ${readPackageVersion()}` },
  {
    name: 'configuration',
    help: 'Correct the file, or choose a different one with --config.',
    run: async ({ flags, io }) => {
      await loadConfig(flags, io);
      const file = listConfigFiles(flags, io).find((one) => existsSync(one));
      return file === undefined ? 'no file, which is fine: flags and variables are enough' : `read from ${file}`;
    },
  },
  {
    name: 'credential',
    help: 'Set SWITCHYARD_API_KEY, or SWITCHYARD_TOKEN for a bearer token.',
    run: ({ loaded, io }) => {
      const credential = access.readRouterCredential(io.env);
      if (credential !== undefined) return credential.kind === 'bearer' ? 'SWITCHYARD_TOKEN' : 'SWITCHYARD_API_KEY';
      // No credential is needed if conform has its own, or if only the workflow API is used.
      if (usesOnlyWorkflow(loaded) || loaded.config.conform.live.credentials.router.main !== undefined)
        return undefined;
      throw new UsageError('no credential for the Model Router');
    },
  },
  {
    name: 'proxy',
    help: 'Set it to a URL such as http://proxy.example:8080, or unset it.',
    run: ({ io: { env } }) => {
      const proxies = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy'].filter((name) => env[name]);
      if (proxies.length === 0) return undefined;
      const wrong = proxies.filter((name) => !/^https?:$/.test(URL.parse(env[name] ?? '')?.protocol ?? ''));
      if (wrong.length > 0) throw new CommandFailure(`${wrong.join(', ')}: not an http or https URL`);
      const names = [...proxies, ...['NO_PROXY', 'no_proxy'].filter((name) => env[name])].join(', ');
      const [major, minor = 0] = process.versions.node.split('.').map(Number);
      if ((major === 22 && minor < 21) || (major === 24 && minor < 5))
        throw new CommandFailure(`Node ${process.version} ignores ${names}: use Node 22.21, 24.5 or newer`);
      return `using ${names}`;
    },
  },
  {
    name: 'router',
    help: 'If the URL is missing or wrong, set --router-url, SWITCHYARD_ROUTER_URL or routerUrl in the configuration.',
    run: async ({ loaded, flags, io }) => {
      const [routerUrl, credential] = [loaded.config.routerUrl, access.readRouterCredential(io.env)];
      if (usesOnlyWorkflow(loaded)) return undefined;
      if (routerUrl === undefined) throw new UsageError('no base URL for the Model Router');
      if (credential === undefined) return undefined; // The credential check reports it.
      const router = await openRouter(routerUrl, credential, loaded, flags.allowHttp, io);
      const { data } = readObject(await router.get('/v2/models?limit=1', { operation: 'listModels' }));
      const found = `${routerUrl} responds and accepts the credential`;
      const { id } = asObject([data].flat()[0]);
      if (typeof id !== 'string') return found;
      try {
        readObject(await readDocument(router, id));
        return `${found}; the document of ${id} is readable`;
      } catch (error) {
        // Other models may be readable.
        if (error instanceof GeneratorError && [403, 404].includes(error.status ?? 0))
          return `${found}; ${id}: ${error.message}`;
        throw error;
      }
    },
  },
  {
    name: 'workflow API',
    help: 'Correct SWITCHYARD_WORKFLOW_URL, or workflowUrl and http in the configuration; generate does not need this API.',
    isWarning: true,
    // Sends a request without a credential: any response shows that the URL works.
    run: async ({ loaded, flags, io }) => {
      const url = loaded.config.workflowUrl;
      if (url === undefined) return undefined;
      const gateway = await access.readGatewayHeaders(loaded, [], io);
      if (gateway.length > 0) access.refusePlainHttp(url, flags.allowHttp);
      const headers = Object.fromEntries(gateway.map(({ name, value }) => [name, value]));
      const request = { url: `${url}/api/v2/jobs/none/workflow`, headers, deadlineMs, maxBytes: largestResponse };
      const outcome = await nodePorts(await access.readTls(loaded, io)).http(request);
      if (outcome.kind === 'no-response') throw new CommandFailure(`${url} does not respond: ${outcome.detail}`);
      const token = access.readWorkflowToken(io.env) ?? loaded.config.conform.live.credentials.workflow.main;
      return `${url} responds with status ${outcome.status}${token ? '' : '; SWITCHYARD_WORKFLOW_TOKEN is not set'}`;
    },
  },
  {
    name: 'conform',
    help: 'Correct this setting of conform. The catalog must list each model for the credential main.',
    run: async ({ loaded, flags, io }) => {
      if (loaded.written.conform === undefined) return undefined;
      const { router, budget } = await describeLiveTarget(loaded, flags.allowHttp, io);
      const { runs, models } = budget ?? { runs: 0, models: [] };
      if (router !== undefined) {
        const credential = { kind: router.scheme ?? 'api-key', value: router.credentials.main ?? '' };
        const client = await openRouter(router.url, credential, loaded, flags.allowHttp, io);
        for (const model of models) checkInputs(model, readObject(await readDocument(client, model.id)));
      }
      const costs = models.flatMap(({ maxCostCents }) => maxCostCents ?? []);
      const cost = costs.length < models.length ? '' : `, ${runs * Math.max(...costs)} cents at most`;
      return runs === 0
        ? 'the settings are complete; nothing is run without a budget'
        : `${runs} runs, of ${models.length} models${cost}`;
    },
  },
];

const deadlineMs = 15_000;
const largestResponse = 16 * 1024 * 1024;

function usesOnlyWorkflow({ config }: LoadedConfig): boolean {
  return config.routerUrl === undefined && config.workflowUrl !== undefined;
}

/** Returns the object in a router's response. Throws for any other response. */
function readObject(reply: RouterReply): JsonObject {
  if (reply.kind === 'failed') throw reply.error;
  // The response may come from something in front of the router.
  if (reply.body.kind !== 'json') throw new CommandFailure(`the router's response is not JSON: ${reply.body.because}`);
  return asObject(reply.body.value);
}

/** Throws if an input in the configuration is invalid against the document of its model. */
function checkInputs(model: { readonly id: string }, document: JsonObject): void {
  const schema = readModelOperation(document)?.input?.schema;
  if (!isJsonObject(schema)) throw new CommandFailure(`the document of ${model.id} has no input schema`);
  const validate = compileSchema(schema, { root: document, unreadable: 'accept', side: 'input' });
  for (const { name } of ownerSettings.inputs) {
    const input: unknown = Reflect.get(model, name);
    // The strict-mode input has the format of the alternate provider.
    if (input === undefined || name === 'strictInput') continue;
    const [violation] = validate(input);
    if (violation !== undefined)
      throw new UsageError(
        `conform.live.models: ${name} of ${model.id} is invalid: ${violation.pointer || 'the object'} ${violation.message}`,
      );
  }
}
