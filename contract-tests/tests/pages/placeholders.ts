import { sandboxCredentials } from '../../../sandbox/src/index.ts';

/** Where the places of a page are here. */
export type Places = {
  /** Of a sandbox that stands for every service. */
  readonly url: string;
  /** A free one in place of the one that pages name. */
  readonly sandboxPort: string;
};

/** What pages write for hosts, credentials and values of the reader, and what stands for it here; applied in order. */
const substitutions: readonly (readonly [RegExp, (places: Places) => string])[] = [
  [/(?<=--port |127\.0\.0\.1:)4010(?!\d)/g, ({ sandboxPort }) => sandboxPort],
  [/http:\/\/127\.0\.0\.1:8080(?= --write-baseline)/g, ({ url }) => url],
  [/https:\/\/staging\.example\/test-hooks/g, ({ url }) => `${url}/__sandbox/hooks`],
  [/https:\/\/(?:router|staging|jobs)\.example/g, ({ url }) => url],
  [/(?<=--(?:router|workflow)-url )(?:…|URL)/g, ({ url }) => url],
  [/(?<=--hooks )URL/g, ({ url }) => `${url}/__sandbox/hooks`],
  [/(?<=SWITCHYARD_API_KEY=)…/g, () => sandboxCredentials.router.main],
  [/(?<=STAGING_HOOKS_TOKEN=)…/g, () => 'a-token'],
  [/(?<=--fault )ID/g, () => 'catalog.entry.billing-with-price'],
  [/(?<=--variant )ID/g, () => 'catalog.page.empty-at-the-end'],
  [/(?<=explain )(?:NAME|CODE)/g, () => 'MR-CAT-50'],
  [/BEFORE AFTER/g, () => 'generated generated'],
  [/(?<=diff )BEFORE$/g, () => 'generated'],
  [/ \[[^\]]+\]/g, () => ''],
  [/(?<=vitest run )FILE/g, () => 'contract-tests/tests/pages/workflow.test.ts'],
  // On a terminal `init` asks for what it cannot see, and whether to write.
  [/\binit$/, ({ url }) => `init --router-url ${url} --yes`],
  [/\binit (?!.*--yes)(.*)$/, () => 'init $1 --yes'],
];

export function fillIn(text: string, places: Places): string {
  return substitutions.reduce((filled, [pattern, value]) => {
    const replacement = value(places);
    return filled.replace(pattern, replacement);
  }, text);
}
