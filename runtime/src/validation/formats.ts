import type { FormatChecks } from './check.ts';

const dateShape = /^(\d{4})-(\d\d)-(\d\d)$/;
const timeShape = /^([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d+)?(z|[+-]([01]\d|2[0-3]):[0-5]\d)$/i;
const label = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/i;
const daysByMonth = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** Format checks, for callers that want formats to be validated. Formats that are not listed accept everything. */
export const formats: FormatChecks = {
  date: isDate,
  time: (text) => timeShape.test(text),
  'date-time': (text) => /[t ]/i.test(text.charAt(10)) && isDate(text.slice(0, 10)) && timeShape.test(text.slice(11)),
  email: isEmail,
  hostname: isHost,
  ipv4: isAddress,
  ipv6: (text) => text.includes(':') && URL.canParse(`http://[${text}]/`),
  uuid: (text) => /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(text),
  uri: isUri,
  url: isUri,
  'uri-reference': (text) => !/\s/.test(text) && URL.canParse(text, 'http://host/'),
  'json-pointer': (text) => (text === '' || text.startsWith('/')) && !/~(?![01])/.test(text),
  byte: (text) => text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text),
};

function isUri(text: string): boolean {
  return /^[a-z][a-z0-9+.-]*:[^\s]+$/i.test(text) && URL.canParse(text);
}

function isDate(text: string): boolean {
  const [, year = '', month = '', day = ''] = dateShape.exec(text) ?? [];
  const days = daysByMonth[Number(month) - 1];
  if (days === undefined || Number(day) < 1 || Number(day) > days) return false;
  const isLeap = Number(year) % 4 === 0 && (Number(year) % 100 !== 0 || Number(year) % 400 === 0);
  return month !== '02' || day !== '29' || isLeap;
}

// Not one regular expression, because it could overflow the stack on a long text.
function isEmail(text: string): boolean {
  const at = text.indexOf('@');
  return at > 0 && at === text.lastIndexOf('@') && !/\s/.test(text) && isHost(text.slice(at + 1));
}

function isHost(text: string): boolean {
  return text.length <= 253 && text.split('.').every((part) => label.test(part));
}

function isAddress(text: string): boolean {
  const parts = text.split('.');
  return parts.length === 4 && parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) <= 255);
}
