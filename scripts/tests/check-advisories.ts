import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { disarmCommands, packageRoot, visibleText } from '../../specs/src/index.ts';

// npm run advisories [FILE [LOCKFILE]]: compares the lockfile with known advisories. FILE is a JSON export of OSV, by default
// advisories.json: a list of advisories, `{ "vulns": […] }`, or one advisory per line. Exits with 1 if an advisory applies.

type Event = { introduced?: string; fixed?: string; last_affected?: string };
type Affected = {
  package?: { ecosystem?: string; name?: string };
  versions?: string[];
  ranges?: { type: string; events: Event[] }[];
};
type Advisory = { id: string; summary?: string; withdrawn?: string; affected?: Affected[] };
type Lock = { packages: Record<string, { name?: string; version?: string; link?: boolean }> };

const [file = join(packageRoot(), 'advisories.json'), lockFile = join(packageRoot(), 'package-lock.json')] =
  process.argv.slice(2);

if (existsSync(file)) check(readAdvisories(readFileSync(file, 'utf8')), JSON.parse(readFileSync(lockFile, 'utf8')));
else process.stdout.write(`advisories: not checked, there is no ${file}\n`);

function check(advisories: readonly Advisory[], { packages }: Lock): void {
  const ofNpm = advisories.flatMap(({ affected = [], ...advisory }) =>
    affected.filter((one) => one.package?.ecosystem === 'npm').map((one) => ({ advisory, ...one })),
  );
  const byName = Map.groupBy(ofNpm, (one) => one.package?.name);
  const installed = Object.entries(packages).flatMap(([path, { name, version }]) =>
    path === '' || version === undefined ? [] : [{ name: name ?? path.replace(/^.*node_modules\//, ''), version }],
  );
  const found = installed.flatMap(({ name, version }) =>
    (byName.get(name) ?? [])
      .filter((one) => one.advisory.withdrawn === undefined && isAffected(version, one))
      .map(({ advisory }) => `${name}@${version}: ${JSON.stringify([advisory.id, advisory.summary ?? ''])}\n`),
  );
  for (const line of new Set(found)) process.stdout.write(disarmCommands(visibleText(line)));
  const counts = `${installed.length} packages, ${ofNpm.length} advisories, ${found.length} findings`;
  process.stdout.write(ofNpm.length === 0 ? `advisories: not checked, ${file} has none for npm\n` : `${counts}\n`);
  process.exitCode = found.length > 0 || ofNpm.length === 0 ? 1 : 0;
}

function readAdvisories(text: string): readonly Advisory[] {
  const isLines = /^\{.*\}\s*\n\s*\{/.test(text);
  const read: unknown = JSON.parse(isLines ? `[${text.trim().split('\n').join(',')}]` : text);
  const list = Array.isArray(read) ? read : Reflect.get(Object(read), 'vulns');
  // The format of OSV exports: https://ossf.github.io/osv-schema
  return Array.isArray(list) ? list : [read as Advisory];
}

function isAffected(version: string, { versions = [], ranges = [] }: Affected): boolean {
  return versions.includes(version) || ranges.some(({ type, events }) => type !== 'GIT' && isWithin(version, events));
}

/** A version is affected if the last event at or before it introduces the problem. */
function isWithin(version: string, events: readonly Event[]): boolean {
  const turns = events.flatMap(({ introduced, fixed, last_affected: last }) => [
    ...(introduced === undefined ? [] : [{ at: introduced, isOn: true, isPast: compare(version, introduced) >= 0 }]),
    ...(fixed === undefined ? [] : [{ at: fixed, isOn: false, isPast: compare(version, fixed) >= 0 }]),
    ...(last === undefined ? [] : [{ at: last, isOn: false, isPast: compare(version, last) > 0 }]),
  ]);
  const passed = turns.filter(({ isPast }) => isPast).toSorted((one, other) => compare(one.at, other.at));
  return passed.at(-1)?.isOn ?? false;
}

/** Compares npm versions: by their numbers, and a release comes after its candidates. */
function compare(one: string, other: string): number {
  const [[core, candidate], [otherCore, otherCandidate]] = [split(one), split(other)];
  return (
    core.localeCompare(otherCore, 'en', { numeric: true }) ||
    Number(candidate === '') - Number(otherCandidate === '') ||
    candidate.localeCompare(otherCandidate, 'en', { numeric: true })
  );
}

function split(version: string): readonly [core: string, candidate: string] {
  const [core = '', ...candidate] = version.replace(/\+.*/, '').split('-');
  return [core, candidate.join('-')];
}
