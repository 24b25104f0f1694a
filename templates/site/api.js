// Renders the document with Redoc in the colours of the site, which follow the reader's colour scheme.
// A variable may have a colour for each scheme. Set it on an element to find out which one applies.
const colour = (name) => {
  document.documentElement.style.outlineColor = `var(--${name})`;
  return getComputedStyle(document.documentElement).outlineColor;
};
const [back, panel, ink, soft, line] = ['back', 'panel', 'ink', 'soft', 'line'].map(colour);
const [link, good, bad, warn] = ['link', 'good', 'bad', 'warn'].map(colour);
document.documentElement.style.outlineColor = '';
const response = (main) => ({ color: main, backgroundColor: panel, tabTextColor: main });
const fontFamily = 'system-ui, sans-serif';

const theme = {
  colors: {
    // Redoc uses it next to white, even in the dark scheme.
    primary: { main: '#0550ae' },
    success: { main: good },
    warning: { main: warn },
    error: { main: bad },
    gray: { 50: panel, 100: line },
    text: { primary: ink, secondary: soft },
    border: { dark: line, light: line },
    responses: { success: response(good), error: response(bad), redirect: response(warn), info: response(link) },
  },
  schema: {
    linesColor: line,
    nestedBackground: panel,
    typeNameColor: soft,
    typeTitleColor: soft,
    requireLabelColor: bad,
    arrow: { color: soft },
  },
  typography: {
    fontFamily,
    headings: { fontFamily },
    code: { fontFamily: 'ui-monospace, monospace', color: ink, backgroundColor: panel },
    links: { color: link, visited: link, hover: link },
  },
  sidebar: { backgroundColor: panel, textColor: ink, activeTextColor: link, arrow: { color: ink } },
  rightPanel: {
    backgroundColor: panel,
    textColor: ink,
    servers: { overlay: { backgroundColor: panel, textColor: ink }, url: { backgroundColor: back } },
  },
  codeBlock: { backgroundColor: back },
};

globalThis.Redoc.init(
  globalThis.switchyardDocument,
  { sanitize: true, hideDownloadButton: true, hideLoading: true, nativeScrollbars: true, disableSearch: false, theme },
  document.getElementById('api'),
);
