import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readText } from '../src/files.ts';
import { buildEffectiveSpecs, checkSpecs, defaultSpecSettings, packageRoot } from '../src/index.ts';
import { applyOverlays, readOverlays } from '../src/overlays/overlays.ts';
import { readChoices } from '../src/requirements/requirements.ts';
import { defaultBrand } from '../src/settings.ts';

const folder = join(packageRoot(), 'specs', 'overlays');
const names = readdirSync(folder).filter((name) => name.endsWith('.overlay.yaml'));

describe('the example overlays', () => {
  test.each(names)('the overlay %s produces documents without problems', async (name) => {
    const specs = buildEffectiveSpecs({ ...defaultSpecSettings, overlays: [join(folder, name)] });
    expect((await checkSpecs(specs)).problems).toEqual([]);
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
});
