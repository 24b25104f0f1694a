import { describe, expect, test } from 'vitest';
import { SpecError } from './errors.ts';
import { applyBrand, defaultBrand, extensionKey, headerName, parseBrand } from './settings.ts';

describe('brand', () => {
  const brand = parseBrand('Acme-2');
  test('derives header names and extension keys from the brand', () => {
    expect(headerName(defaultBrand, 'Request-Id')).toBe('X-Service-Request-Id');
    expect(headerName(brand, 'Request-Id')).toBe('X-Acme-2-Request-Id');
    expect(extensionKey(brand, 'input-schema-authored')).toBe('x-acme-2-input-schema-authored');
  });

  test.each(['', '-Acme', 'Acme-', 'A b', 'A\r\nB', '1st', 'Ac--me', 'é'])('rejects the brand %j', (text) => {
    expect(() => parseBrand(text)).toThrow(SpecError);
  });

  test('only replaces names with the default brand, in keys and strings', () => {
    const given = {
      'X-Service-Request-Id': ['see X-Service-Error-Type, x-service-request-id'],
      'x-service-input-schema-authored': false,
      'X-API-Key': 'the Service and its customer-service-line; MAX-Service-X; x-service-',
    };
    expect(applyBrand(given, brand)).toEqual({
      'X-Acme-2-Request-Id': ['see X-Acme-2-Error-Type, x-acme-2-request-id'],
      'x-acme-2-input-schema-authored': false,
      'X-API-Key': 'the Service and its customer-service-line; MAX-Service-X; x-service-',
    });
    expect(applyBrand(given, defaultBrand)).toBe(given);
  });
});
