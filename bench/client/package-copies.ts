import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

// Packages in two formats are two copies in a program that uses both, one by `import` and one by `require`.
const require = createRequire(import.meta.url);
type ErrorClass = (abstract new () => Error) & { isInstance?: (error: unknown) => boolean };

const readClass: Readonly<Record<string, () => ErrorClass>> = {
  '@fal-ai/client': () => require('@fal-ai/client').ApiError,
  openai: () => require('openai').APIError,
  stripe: () => require('stripe').errors.StripeError,
  'AWS SDK': () => require('@aws-sdk/client-lambda').LambdaServiceException,
};

/** Whether a second copy of a client knows the error of the first one; undefined where there can be no second one here. */
export async function recognise(client: string, error: unknown): Promise<boolean | undefined> {
  if (client === 'createModelRouter') return recogniseOurs(error);
  const found = readClass[client]?.();
  return found && (error instanceof found || found.isInstance?.(error) === true);
}

async function recogniseOurs(error: unknown): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), 'package-copy-'));
  try {
    cpSync(join(import.meta.dirname, '../../generated/model-router'), folder, { recursive: true });
    const copy = await import(pathToFileURL(join(folder, 'index.js')).href);
    return copy.isRouterError(error);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
