import type { Table } from '../report/table.ts';
import { type Caller, callersAt } from './callers.ts';

/** How the first calls are answered, each with a word of `serve-script.ts`; `…` repeats the last one for ever. Then every call succeeds. */
type Scenario = {
  readonly answers: string;
  /** What a program wants of its client: the result, or an error at once. */
  readonly want: 'result' | 'error';
  /** Of one attempt, for the clients that have such an option. */
  readonly timeoutMs?: number;
  /** What the error has to say. */
  readonly says?: RegExp;
};

const results = [
  ...[
    '429',
    '429 429',
    '429-date',
    '429-fraction',
    '429-bare',
    '429-cents',
    '503',
    '503 503',
    '503-hint',
    '500',
    '502-json',
    '504',
    '529',
  ],
  ...[
    'reset',
    'reset reset',
    'reset 503 reset',
    'HTML',
    'HTML-503',
    'truncated',
    'truncated-chunks',
    'empty',
    'no-json',
    'HTML-200',
  ],
  ...['408', '409-running', '409-running 409-running', '425', 'late-hint', 'broken-gzip', '504 409-running'],
].map((answers): Scenario => ({ answers, want: 'result' }));
const errors: readonly Scenario[] = [
  ...['400', '401', '402', '403', '404', '413', '422'].map(
    (answers): Scenario => ({ answers: `${answers}…`, want: 'error', says: /It is|field/ }),
  ),
  { answers: '422…', want: 'error', says: /prompt/ },
  { answers: '409-invalid…', want: 'error', says: /It is/ },
  { answers: '400-provider…', want: 'error', says: /It is/ },
  { answers: '302…', want: 'error', says: /elsewhere\.example/ },
  { answers: '429-two-hours…', want: 'error', says: /7200|limit/i },
  { answers: '429-for-ever…', want: 'error', says: /limit/i },
  { answers: '503…', want: 'error', says: /It is/ },
  { answers: 'reset…', want: 'error', says: /ECONNRESET|socket|hang up|other side closed/i },
  { answers: 'HTML-200…', want: 'error', says: /html/i },
];
const timeouts: readonly Scenario[] = [
  { answers: 'silent', want: 'result', timeoutMs: 500 },
  { answers: 'stalled', want: 'result', timeoutMs: 500 },
  { answers: 'silent…', want: 'error', timeoutMs: 300, says: /time|within/i },
];
export const scenarios: readonly Scenario[] = [...results, ...errors, ...timeouts];

const patienceMs = 20_000;
type Outcome = { readonly isWanted: boolean; readonly runs: number; readonly seconds: number; readonly what: string };

/** What each client makes of each scenario: the runs that a service without a look at the keys' work would bill, the seconds, and the outcome. */
export async function compareScenarios(url: string): Promise<Table> {
  const names = callersAt(url).map(({ name }) => name);
  const rows = await Promise.all(scenarios.map((scenario, index) => tryScenario(scenario, `${url}/s${index}`)));
  const worse = rows.filter((row) => row.at(-1)?.startsWith('worse') === true).length;
  const title = `${rows.length} scenarios; createModelRouter is best or equal in ${rows.length - worse}`;
  return { title, head: ['', ...names, ''], rows };
}

async function tryScenario(scenario: Scenario, url: string): Promise<string[]> {
  const outcomes: { name: string; outcome: Outcome }[] = [];
  for (const { name } of callersAt(url)) {
    await fetch(`${url}/script`, { method: 'PUT', body: scenario.answers });
    // A client of its own each time: what it learnt of an earlier scenario must not help it.
    const caller = callersAt(url, { timeoutMs: scenario.timeoutMs }).find((one) => one.name === name);
    if (caller !== undefined) outcomes.push({ name, outcome: await observe(caller, scenario, url) });
  }
  const [ours, ...others] = outcomes;
  const better = others.filter(({ outcome }) => ours !== undefined && compare(outcome, ours.outcome) < 0);
  const verdict = better.length === 0 ? 'best or equal' : `worse than ${better.map(({ name }) => name).join(', ')}`;
  const { answers, want } = scenario;
  return [`${answers} (${want})`, ...outcomes.map(({ outcome }) => outcome.what), verdict];
}

/** Negative where the first one is better: it does what is wanted, bills fewer runs, or is much sooner. A second or two is what repeats wait. */
function compare(one: Outcome, other: Outcome): number {
  if (one.isWanted !== other.isWanted) return one.isWanted ? -1 : 1;
  if (one.runs !== other.runs) return one.runs - other.runs;
  return one.isWanted && one.seconds + 5 < other.seconds ? -1 : 0;
}

async function observe({ call }: Caller, { want, says }: Scenario, url: string): Promise<Outcome> {
  const started = performance.now();
  const patience = new Promise<string>((done) => setTimeout(done, patienceMs, 'still waiting').unref());
  const told = call().then(
    (result) => (result === undefined ? 'success without result' : 'result'),
    (error: unknown) =>
      `error: ${error instanceof Error ? `${error.message} ${String(error.cause ?? '')}` : JSON.stringify(error)}`,
  );
  const said = await Promise.race([told, patience]);
  const seconds = (performance.now() - started) / 1000;
  const keys = (await (await fetch(`${url}/script`)).json()) as (string | null)[]; // as the server writes it
  const runs = new Set(keys.filter((key) => key !== null)).size + keys.filter((key) => key === null).length;
  const isWanted = want === 'result' ? said === 'result' : said.startsWith('error') && (says?.test(said) ?? true);
  const word = said.startsWith('error') && !isWanted ? `mute ${said.slice(0, 5)}` : said.split(':', 1)[0];
  return { isWanted, runs, seconds, what: `${word}, ${runs} runs, ${seconds.toFixed(1)} s` };
}
