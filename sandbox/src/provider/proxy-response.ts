import type { ProviderFacts } from './provider-response.ts';

/** The bodies of something between router and caller: not an envelope of the API (MR-ERR-23). */
export function proxyResponse(form: string, status: number): NonNullable<ProviderFacts['intercepted']> {
  switch (form) {
    case 'truncated_json':
      return { status, mediaType: 'application/json', body: '{"detail": "The upstream connection was cl' };
    case 'plain_text':
      return { status, mediaType: 'text/plain', body: 'upstream connect error or disconnect before headers\n' };
    default:
      return { status, mediaType: 'text/html', body: page(status) };
  }
}

function page(status: number): string {
  return [
    '<!DOCTYPE html>',
    `<html><head><title>${status}</title></head>`,
    `<body><center><h1>${status}</h1></center><hr><center>proxy</center></body></html>`,
    '',
  ].join('\n');
}
