import { createRequire } from 'node:module';
import { join } from 'node:path';
import { redocPackage } from './settings.ts';

const peers = {
  '@stoplight/prism-cli': {
    install: '@stoplight/prism-cli@5.16.0',
    need: 'mock and conform --target mock need it',
  },
  unplugin: { install: 'unplugin@3.7.0', need: 'a bundler plugin needs it' },
  redoc: { install: redocPackage, need: 'the two APIs among the pages of docs need it' },
};

/** Those that neither the project nor this package can import. */
export function findMissingPeers(folder: string): { name: string; install: string; need: string }[] {
  const places = [join(folder, 'package.json'), import.meta.url];
  return Object.entries(peers).flatMap(([name, peer]) =>
    places.some((place) => isInstalled(name, place)) ? [] : [{ name, ...peer }],
  );
}

function isInstalled(name: string, place: string): boolean {
  try {
    return createRequire(place).resolve(`${name}/package.json`) !== '';
  } catch {
    return false;
  }
}
