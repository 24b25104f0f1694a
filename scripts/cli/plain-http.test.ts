import { expect, test } from 'vitest';
import { UsageError } from './errors.ts';
import { refusePlainHttp } from './plain-http.ts';

test.each([
  'http://router.example',
  'http://router.example.:8080/base',
  'http://local.example',
  'http://notlocalhost.com',
  'http://8.8.8.8',
  'http://172.32.0.1',
  'http://100.128.0.1',
  'http://169.253.0.1',
  'http://[2001:db8::1]',
  'http://[::ffff:8.8.8.8]',
  'http://[fec0::1]',
  'http://134744072', // 8.8.8.8
])('refuses a credential for %s unless it is asked for', (url) => {
  expect(() => refusePlainHttp(url, undefined)).toThrow(UsageError);
  expect(() => refusePlainHttp(url, undefined)).toThrow('--allow-http');
  expect(() => refusePlainHttp(url, true)).not.toThrow();
});

test.each([
  'https://router.example',
  'http://localhost:4010',
  'http://router.localhost',
  'http://router.local',
  'http://router.internal.',
  'http://router.home.arpa',
  'http://router',
  'http://router.',
  'http://127.0.0.1:4010',
  'http://127.1',
  'http://2130706433', // 127.0.0.1
  'http://0.0.0.0',
  'http://10.1.2.3',
  'http://172.31.255.255',
  'http://192.168.0.1',
  'http://169.254.1.1',
  'http://100.64.0.1',
  'http://[::1]',
  'http://[::]',
  'http://[fd00::1]',
  'http://[fe80::1]',
  'http://[::ffff:10.0.0.1]',
])('lets a credential go to %s', (url) => {
  expect(() => refusePlainHttp(url, undefined)).not.toThrow();
});
