import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { validate } from 'dockerfile-utils';
import { packageRoot } from '../../../specs/src/index.ts';

export type Dockerfile = {
  /** Of the last stage: what runs, what it is given, and what says whether it is healthy. */
  readonly entrypoint: readonly string[];
  readonly command: readonly string[];
  readonly healthCheck: readonly string[];
};

export function readDockerfile(): string {
  return readFileSync(join(packageRoot(), 'Dockerfile'), 'utf8');
}

/** What the linter finds, and what it does not know of: an image that runs as root, or without a health check, and a base that names no version and digest. */
export function lintDockerfile(text: string): string[] {
  const last = lastStage(text);
  const user = last
    .match(/^USER (\S+)/gm)
    ?.at(-1)
    ?.slice(5);
  const bases = [...text.matchAll(/^FROM (\S+)/gm)].map(([, base = '']) => base);
  return [
    ...validate(text).map(({ message, range }) => `line ${range.start.line + 1}: ${message}`),
    ...(user === undefined || /^(?:root|0)\b/.test(user) ? ['the image runs as root'] : []),
    ...(/^HEALTHCHECK /m.test(last) ? [] : ['the image has no health check']),
    ...bases
      .filter((base) => !/:.*\d.*@sha256:[\da-f]{64}$/.test(base))
      .map((base) => `${base} is not one image for good`),
  ];
}

export function parseDockerfile(text: string): Dockerfile {
  const last = lastStage(text);
  return {
    entrypoint: splitWords(last, /^ENTRYPOINT (\[.*\])$/m),
    command: splitWords(last, /^CMD (\[.*\])$/m),
    healthCheck: splitWords(last, /^HEALTHCHECK .*?CMD (\[.*\])$/m),
  };
}

function lastStage(text: string): string {
  return text.slice(text.lastIndexOf('\nFROM '));
}

/** The exec form, a JSON list. Throws where the file has another form. */
function splitWords(text: string, form: RegExp): string[] {
  const words: unknown = JSON.parse(form.exec(text)?.[1] ?? 'null');
  if (!Array.isArray(words)) throw new Error(`the Dockerfile has no line ${form}`);
  return words.map(String);
}
