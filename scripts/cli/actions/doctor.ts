import { existsSync } from 'node:fs';
import { ownerSettings } from '../../../contract-tests/src/requires.ts';
import { GeneratorError, nodePorts, type RouterClient, type RouterReply } from '../../../generator/src/index.ts';
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

type Line = { name: string; status: 'ok' | 'warn' | 'bad'; message: string; help?: string };

const deadlineMs = 15_000;
const largestResponse = 16 * 1024 * 1024;

/**
 * Checks what generate and conform depend on: a line per check, with advice. Only sends GET requests, which can't start a run. The exit
 * code is 2 for an invalid setting, and 3 for any other problem.
 */
export async function runDoctor(flags: Flags<'doctor'>, io: CommandIo): Promise<CommandResult> {
  const { env } = io;
  const lines: Line[] = [];
  let code = 0;
  /** Adds the line of a check. `run` returns undefined if the check doesn't apply, and throws for a problem. */
  const check = async (
    name: string,
    help: string,
    run: () => string | undefined | Promise<string | undefined>,
    isWarning = false,
  ): Promise<void> => {
    try {
      const message = await run();
      if (message !== undefined) lines.push({ name, status: 'ok', message });
    } catch (error) {
      const { message, help: ownHelp = '' } = explainError(error);
      lines.push({ name, status: isWarning ? 'warn' : 'bad', message, help: `${ownHelp} ${help}`.trim() });
      if (!isWarning && code !== 2) code = isUsageError(error) ? 2 : 3;
    }
  };

  await check('node', '', () => `${process.version}, switchyard ${readPackageVersion()}`);
  // If the configuration is invalid, the other checks use the flags only.
  const noFile = { written: {}, folder: io.workingFolder };
  let loaded: LoadedConfig = { ...noFile, config: resolveConfig(flags, noFile, { ...io, env: {} }) };
  await check('configuration', 'Correct the setting, or choose a different file with --config.', async () => {
    loaded = await loadConfig(flags, io);
    const file = listConfigFiles(flags, io).find((one) => existsSync(one));
    return file === undefined ? 'no file, which is fine: flags and variables are enough' : `read from ${file}`;
  });
  const { routerUrl, workflowUrl, conform } = loaded.config;
  const isRouterUsed = routerUrl !== undefined || workflowUrl === undefined;
  let credential: access.RouterCredential | undefined;
  await check('credential', 'Set SWITCHYARD_API_KEY, or SWITCHYARD_TOKEN for a bearer token.', () => {
    credential = access.readRouterCredential(env);
    if (credential !== undefined) return credential.kind === 'bearer' ? 'SWITCHYARD_TOKEN' : 'SWITCHYARD_API_KEY';
    if (!isRouterUsed || conform.live.credentials.router.main !== undefined) return undefined;
    throw new UsageError('no credential for the Model Router');
  });
  await check('proxy', 'Set it to a URL such as http://proxy.example:8080, or unset it.', () => {
    const proxies = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy'].filter((name) => env[name]);
    if (proxies.length === 0) return undefined;
    const wrong = proxies.filter((name) => !/^https?:$/.test(URL.parse(env[name] ?? '')?.protocol ?? ''));
    if (wrong.length > 0) throw new CommandFailure(`${wrong.join(', ')}: not an http or https URL`);
    const names = [...proxies, ...['NO_PROXY', 'no_proxy'].filter((name) => env[name])].join(', ');
    const [major, minor = 0] = process.versions.node.split('.').map(Number);
    if ((major === 22 && minor < 21) || (major === 24 && minor < 5))
      throw new CommandFailure(`Node ${process.version} ignores ${names}: use Node 22.21, 24.5 or newer`);
    return `using ${names}`;
  });
  await withProgress(io, async (show) => {
    show('checking the services');
    const setUrl = 'set --router-url, SWITCHYARD_ROUTER_URL or routerUrl in the configuration';
    await check('router', `If the URL is missing or wrong, ${setUrl}.`, async () => {
      if (!isRouterUsed) return undefined;
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
    });
    const where = 'Correct SWITCHYARD_WORKFLOW_URL, or workflowUrl and http in the configuration';
    // Sends a request without a credential: any response shows that the URL works.
    const callWorkflow = async (): Promise<string | undefined> => {
      if (workflowUrl === undefined) return undefined;
      const gateway = await access.readGatewayHeaders(loaded, [], io);
      if (gateway.length > 0) access.refusePlainHttp(workflowUrl, flags.allowHttp);
      const headers = Object.fromEntries(gateway.map(({ name, value }) => [name, value]));
      const url = `${workflowUrl}/api/v2/jobs/none/workflow`;
      const { http } = nodePorts(await access.readTls(loaded, io));
      const outcome = await http({ url, headers, deadlineMs, maxBytes: largestResponse });
      if (outcome.kind === 'no-response')
        throw new CommandFailure(`${workflowUrl} does not respond: ${outcome.detail}`);
      const token = access.readWorkflowToken(env) ?? conform.live.credentials.workflow.main;
      return `${workflowUrl} responds with status ${outcome.status}${token ? '' : '; SWITCHYARD_WORKFLOW_TOKEN is not set'}`;
    };
    await check('workflow API', `${where}; generate does not need this API.`, callWorkflow, true);
    const advice = 'Correct this setting of conform. The catalog must list each model for the credential main.';
    await check('conform', advice, async () => {
      if (loaded.written.conform === undefined) return undefined;
      const { router, budget: { runs, models } = { runs: 0, models: [] } } = await describeLiveTarget(
        loaded,
        flags.allowHttp,
        io,
      );
      if (router !== undefined) {
        const main = { kind: router.scheme ?? 'api-key', value: router.credentials.main ?? '' };
        const client = await openRouter(router.url, main, loaded, flags.allowHttp, io);
        for (const model of models) await checkInputs(model, client);
      }
      if (runs === 0) return 'the settings are complete; nothing is run without a budget';
      const costs = models.flatMap(({ maxCostCents }) => maxCostCents ?? []);
      const cost = costs.length < models.length ? '' : `, ${runs * Math.max(...costs)} cents at most`;
      return `${runs} runs, of ${models.length} models${cost}`;
    });
  });
  const text = (): string =>
    lines
      .map(({ name, status, message, help }) => {
        const state = io.style(status === 'ok' ? 'good' : status, status.padEnd(5));
        const line = `${state}${name.padEnd(15)} ${message.replace(/\p{Cc}/gu, ' ')}\n`;
        return help === undefined ? line : `${line}${' '.repeat(21)}${help}\n`;
      })
      .join('');
  return { report: { format: 1, isFit: code === 0, checks: lines }, code, text };
}

/** Returns the object in a router's response. Throws for any other response. */
function readObject(reply: RouterReply): JsonObject {
  if (reply.kind === 'failed') throw reply.error;
  // The response may come from something in front of the router.
  if (reply.body.kind !== 'json') throw new CommandFailure(`the router's response is not JSON: ${reply.body.because}`);
  return asObject(reply.body.value);
}

/** Throws if an input in the configuration is invalid against the document of its model. */
async function checkInputs(model: { readonly id: string }, router: RouterClient): Promise<void> {
  const document = readObject(await readDocument(router, model.id));
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
