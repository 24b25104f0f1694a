import { pageScript } from '../pages/page-script.ts';
import { endGroup, freePort, runScript } from '../pages/project.ts';
import type { Shell } from './shell.ts';

/**
 * Follows a page in an empty folder, as printed, with a package manager that installs the packed package from a registry. Only the
 * port of the sandbox differs.
 * @returns what the page's last program printed
 * @throws with the line of the page that ends otherwise than the page says
 */
export async function follow(page: string, { folder, env }: Shell): Promise<string> {
  const ports: Record<string, string> = { 4010: await freePort(), 4011: await freePort() };
  const script = pageScript(page, (text) => text.replace(/\b401[01]\b/g, (port) => ports[port] ?? port));
  const groups: number[] = [];
  try {
    const { code, output } = await runScript(script, folder, { env, groups });
    if (code !== 0) throw new Error(output.slice(-3_000));
    return output.trimEnd().split('\n').at(-1) ?? '';
  } finally {
    for (const group of groups) endGroup(group);
  }
}
