import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { reportFormats } from '../../src/report/formats.ts';
import { type AttackClass, type AttackRun, type Defect, type Random, seedRandom } from './attack-class.ts';
import { findLeak, randomCredential, randomForm } from './credentials.ts';
import { buildCommand, hostileText, terminalSigns } from './hostile-texts.ts';
import { findCrash } from './output-checks.ts';
import type { Bounds } from './run-child.ts';

const bounds: Bounds = { wallMs: 120_000, cpuMs: 60_000, peakMb: 1_500 };

/** Recorded traffic of others: `conform --har`. */
export const recordingAttack: AttackClass = {
  name: 'recordings',
  cases: 40,
  run: async (run) => {
    const defects: Defect[] = [];
    for (const [at, index] of run.cases.entries()) {
      const random = seedRandom(run, 'recordings', index);
      const found = await attackOnce(run, join(run.folder, `case-${index}`), random);
      defects.push(...found.map(([kind, what]) => ({ case: index, kind, what })));
      run.progress(at + 1);
    }
    return defects;
  },
};

async function attackOnce({ checkout }: AttackRun, folder: string, random: Random): Promise<[string, string][]> {
  const key = randomCredential(random);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'traffic.har'), JSON.stringify(recording(key, random)));
  const flags = [['--har', 'traffic.har'], ['--out', 'report'], ['--report', `${reportFormats}`], '--verbose'] as const;
  const ended = await checkout.run('conform', flags, { cwd: folder, env: {}, bounds });
  const text = ended.out + ended.err;
  const found = {
    crash: findCrash(ended, [0, 1, 3, 4]),
    leak: findLeak(text, join(folder, 'report'), [key]),
    terminal: terminalSigns(text) && 'a control sign is printed',
    'build command': buildCommand(text),
  };
  rmSync(folder, { recursive: true, force: true });
  return Object.entries(found).flatMap(([kind, what]) => (what === undefined ? [] : [[kind, what]]));
}

type Header = { readonly name: string; readonly value: unknown };

/** The headers that carry a credential, each as clients and servers write it. */
const carriers: readonly ((key: string) => Header)[] = [
  (key) => ({ name: 'X-API-Key', value: key }),
  (key) => ({ name: 'authorization', value: `Bearer ${key}` }),
  (key) => ({ name: 'Authorization', value: `Bearer ${key}, Bearer another-token` }),
  (key) => ({ name: 'Authorization', value: `Token token="${key}"` }),
  (key) => ({ name: 'Authorization', value: `Basic ${btoa(`${key}:`)}` }),
  (key) => ({ name: 'Proxy-Authorization', value: `Basic ${btoa(`user:${key}`)}` }),
  (key) => ({ name: 'Cookie', value: `theme=dark; sid=${key}; lang=en` }),
  (key) => ({ name: 'Set-Cookie', value: `sid=${key}; Path=/; HttpOnly` }),
];

function recording(key: string, random: Random): object {
  const carrier = random.one(carriers)(key);
  const isReceived = carrier.name === 'Set-Cookie';
  const text = (): unknown => {
    if (random.chance(0.05)) return random.one([null, 7, {}, [], true]);
    return random.chance(0.3) ? randomForm(random)(key) : hostileText(random).slice(0, 2_000);
  };
  const headers = (more: readonly Header[]): Header[] => [
    ...more,
    ...Array.from({ length: random.size(1, 4) }, () => ({ name: String(text()), value: text() })),
  ];
  const entries = Array.from({ length: random.size(1, 12) }, () => ({
    startedDateTime: random.chance(0.9) ? '2026-01-01T00:00:00.000Z' : text(),
    time: random.chance(0.9) ? 5 : text(),
    request: {
      method: random.chance(0.9) ? 'GET' : text(),
      url: `https://router.test/v2/models${random.one(['', '?limit=1', `/${text()}`, `?cursor=${text()}`])}`,
      headers: headers(isReceived ? [] : [carrier]),
      ...(random.chance(0.3) ? { postData: { text: text() } } : {}),
    },
    response: {
      status: random.one([200, 200, 401, 404, 500]),
      headers: headers(isReceived ? [carrier] : []),
      content: { text: random.chance(0.5) ? JSON.stringify({ data: text(), detail: text() }) : text() },
    },
  }));
  return { log: { version: '1.2', entries: [...entries, ...(random.chance(0.3) ? [text()] : [])] } };
}
