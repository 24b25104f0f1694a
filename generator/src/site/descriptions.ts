import type MarkdownIt from 'markdown-it';

/** Descriptions of documents, CommonMark, as a page shows them. */
export type Descriptions = {
  /** HTML of the whole text, with blocks. Markup of the text stays text, links lead to the web only, and pictures are links. */
  html(text: string): string;
  /** HTML without blocks; undefined where the text is too long for one line, or has more than a paragraph. */
  line(text: string): string | undefined;
  /** The first sentence, as plain text. */
  brief(text: string): string;
};

const longestLine = 140;

/** Loads the reader of CommonMark, which only the site needs. */
export async function createDescriptions(): Promise<Descriptions> {
  const { default: createReader } = await import('markdown-it');
  const reader = createReader('commonmark', { html: false });
  reader.disable('image');
  reader.validateLink = (url) => /^(?:https?:|mailto:)/i.test(url);
  // The page has headings of its own.
  reader.renderer.rules['heading_open'] = () => '<p><strong>';
  reader.renderer.rules['heading_close'] = () => '</strong></p>\n';
  reader.renderer.rules['link_open'] = (tokens, index, options, _, self) => {
    tokens[index]?.attrSet('rel', 'noreferrer noopener');
    return self.renderToken(tokens, index, options);
  };
  return {
    html: (text) => reader.render(text).trim(),
    line(text) {
      const blocks = reader
        .parse(text, {})
        .filter(({ type }) => type !== 'paragraph_open' && type !== 'paragraph_close');
      const isLine = blocks.length <= 1 && blocks.every(({ type }) => type === 'inline') && text.length <= longestLine;
      return isLine ? reader.renderInline(text.trim()) : undefined;
    },
    brief: (text) => cutSentence(plain(reader, text)),
  };
}

/** The words of the first paragraph. */
function plain(reader: MarkdownIt, text: string): string {
  const first = reader.parse(text, {}).find(({ type }) => type === 'inline');
  const words = (first?.children ?? []).map(({ type, content }) => (/break$/.test(type) ? ' ' : content));
  return (first === undefined ? text : words.join('')).replace(/\s+/g, ' ').trim();
}

function cutSentence(text: string): string {
  if (text.length <= longestLine) return text;
  const [sentence] = /^.{20,}?[.!?](?=\s)/.exec(text) ?? [];
  if (sentence !== undefined && sentence.length <= longestLine) return sentence;
  const end = text.lastIndexOf(' ', longestLine);
  return `${text.slice(0, end > 0 ? end : longestLine).toWellFormed()} …`;
}
