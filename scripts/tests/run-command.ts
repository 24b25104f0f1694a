import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, onTestFinished } from 'vitest';
import { runProgram } from '../cli/program.ts';
import { fakeIo } from './fake-io.ts';

const createTempFolder = (): string => mkdtempSync(join(tmpdir(), 'switchyard-test-'));
const remove = (folder: string): void => rmSync(folder, { recursive: true, force: true });

/** Creates a temporary folder for all tests of a file. */
export function folderForFile(): string {
  const folder = createTempFolder();
  afterAll(() => remove(folder));
  return folder;
}

/** Creates a temporary folder for the current test; can be called in `beforeEach`. */
export function folderForTest(): string {
  const folder = createTempFolder();
  onTestFinished(() => remove(folder));
  return folder;
}

/** Serves plain http during the current test and returns the base URL. */
export async function serveForTest(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  onTestFinished(() => void server.close());
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // A listening server has a port.
}

export type CommandResult = { readonly code: number; readonly out: string; readonly err: string };

/** Runs a command line in a folder and collects what it prints. */
export async function runCommand(
  words: readonly string[],
  folder: string,
  env: Record<string, string> = {},
): Promise<CommandResult> {
  const io = fakeIo({ env, workingFolder: folder });
  return { code: await runProgram(words, io), ...io.written };
}
