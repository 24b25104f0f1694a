import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readText } from '../src/files.ts';
import {
  buildEffectiveSpecs,
  checkSpecs,
  defaultSpecSettings,
  type EffectiveSpecs,
  listOperations,
  packageRoot,
  type SpecSettings,
} from '../src/index.ts';
import { applyOverlays, readOverlays } from '../src/overlays/overlays.ts';
import { readChoices } from '../src/requirements/requirements.ts';
import { defaultBrand } from '../src/settings.ts';

const folder = join(packageRoot(), 'specs', 'overlays');
const names = readdirSync(folder).filter((name) => name.endsWith('.overlay.yaml'));

function settingsWith(name: string): SpecSettings {
  return { ...defaultSpecSettings, overlays: [join(folder, name)] };
}

function withOverlay(name: string): EffectiveSpecs {
  return buildEffectiveSpecs(settingsWith(name));
}

describe('the example overlays', () => {
  test.each(names)('the overlay %s produces documents without problems', async (name) => {
    expect((await checkSpecs(buildEffectiveSpecs(settingsWith(name)))).problems).toEqual([]);
  });

  test('an example overlay closes the set of providers for a run', async () => {
    const run = listOperations(withOverlay('known-providers.overlay.yaml')).find(
      ({ operationId }) => operationId === 'runModel',
    );
    for (const name of ['model_provider', 'fallback_provider']) {
      const parameter = run?.parameters.find((candidate) => candidate.name === name);
      expect(parameter?.schema).toEqual({
        type: 'string',
        enum: ['image-provider', 'image-provider-two', 'image-video-provider'],
      });
    }
  });

  test('an example overlay adds a 402 with error headers to the synchronous run', async () => {
    const run = listOperations(withOverlay('run-402.overlay.yaml')).find(
      ({ operationId }) => operationId === 'runModel',
    );
    expect(Object.keys(run?.responses['402']?.headers ?? {})).toEqual(['X-Service-Request-Id', 'X-Service-Error-Type']);
  });

  const readings = readOverlays([join(folder, 'other-readings.overlay.yaml')], defaultBrand).flatMap((overlay) =>
    overlay.actions.map((action, index) => ({ ...overlay, place: `action ${index + 1}`, actions: [action] })),
  );

  test.each(readings)('$place of the overlay for other readings changes the generated packages', async (overlay) => {
    const before = buildEffectiveSpecs(defaultSpecSettings);
    const documents = new Map([
      ['model-router.openapi.yaml', before.modelRouter],
      ['workflow-execution.openapi.yaml', before.workflowExecution],
    ]);
    expect(applyOverlays(documents, [overlay])).not.toEqual(documents);
  });

  test('the example overlays change the reading of each ambiguous point', () => {
    const text = readText(join(folder, 'other-readings.overlay.yaml'));
    const named = [...text.matchAll(/description: '(OP-\d+): /g)].map(([, id]) => id);
    // Assumptions have no alternative reading, and some readings do not appear in any document.
    const readings = readChoices().filter(
      ({ kind, override }) => kind === 'reading' && override?.includes('`$') === true,
    );
    expect([...new Set(named)]).toEqual(readings.map(({ id }) => id));
  });

  test('an example overlay sets the hosts of deployments', async () => {
    const { workflowExecution } = withOverlay('workflow-hosts.overlay.yaml');
    expect(JSON.stringify(workflowExecution.servers)).not.toMatch(/(?:cloud|serverless)\.example/);
  });
});
