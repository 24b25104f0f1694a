import { createRequire } from 'node:module';
import { join } from 'node:path';
import { redocPackage } from '../flags.ts';

const peers = [
  {
    name: '@stoplight/prism-cli',
    install: '@stoplight/prism-cli@5.16.0',
    need: 'mock and conform --target mock need it',
  },
  { name: 'unplugin', install: 'unplugin@3.7.0', need: 'a bundler plugin needs it' },
  { name: 'redoc', install: redocPackage, need: 'the two APIs among the pages of docs need it' },
];

/** Which packages a folder lacks that only some commands need. */
export function peerCheck(folder: string) {
  const name = 'peers';
  const places = [join(folder, 'package.json'), import.meta.url];
  const lacking = peers.filter((peer) => !places.some((place) => isFound(peer.name, place)));
  if (lacking.length === 0) return { name, status: 'ok' as const, message: 'all optional peers are installed' };
  return {
    name,
    status: 'skipped' as const,
    message: `not installed: ${lacking.map((peer) => `${peer.name} (only ${peer.need})`).join(', ')}`,
    help: `For these: npm install --save-dev ${lacking.map(({ install }) => install).join(' ')}`,
  };
}

function isFound(name: string, place: string): boolean {
  try {
    return createRequire(place).resolve(`${name}/package.json`) !== '';
  } catch {
    return false;
  }
}
